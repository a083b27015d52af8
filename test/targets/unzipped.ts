// Reads an archive by its central directory, and checks what it reads.
import { inflateRawSync } from 'node:zlib'

const end = 0x06054b50
const entry = 0x02014b50

/** Files by path, in the order of the archive. */
export function unzipped(archive: Buffer): ReadonlyMap<string, Buffer> {
  const last = archive.lastIndexOf(Buffer.from(Uint32Array.of(end).buffer))
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(last + 16)
  while (archive.readUInt32LE(at) === entry) {
    const [packed, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)]
    const length = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + length)
    const local = archive.readUInt32LE(at + 42)
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const content = inflateRawSync(archive.subarray(from, from + packed))
    if (content.length !== size) throw new Error(`${name} has ${content.length} bytes, not ${size}`)
    files.set(name, content)
    at += 46 + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}
