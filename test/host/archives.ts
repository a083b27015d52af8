// Writes small tar.gz and zip archives.
import { crc32, gzipSync } from 'node:zlib'

/** A link has a target, and no content. */
export type Entry = readonly [name: string, content: string, link?: string]

/** https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html (ustar) */
export function tarGz(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(([name, content, link]) => {
    const data = Buffer.from(content)
    return [header(name, data.length, link), data, Buffer.alloc(-data.length & 511)]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

function header(name: string, size: number, link?: string): Buffer {
  const block = Buffer.alloc(512)
  const fields: readonly (readonly [offset: number, text: string])[] = [
    [0, name],
    [100, octal(0o755, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(0, 11)],
    // The sum is taken with spaces in its place.
    [148, ' '.repeat(8)],
    [156, link === undefined ? '0' : '2'],
    [157, link ?? ''],
    [257, 'ustar\u000000'],
  ]
  for (const [offset, text] of fields) block.write(text, offset)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\u0000 `, 148)
  return block
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function zip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const data = Buffer.from(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), data])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    listed.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, place, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(listed)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006'), end])
}
