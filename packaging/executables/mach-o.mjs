// Reads the load commands of a Mach-O file.
// https://github.com/apple-oss-distributions/xnu/blob/main/EXTERNAL_HEADERS/mach-o/loader.h

const magic = 0xfeedfacf

export const kinds = { segment: 0x19, codeSignature: 0x1d }

/** Each load command with its offset; `name` is valid for segments. */
export function commandsOf(bytes) {
  if (bytes.readUInt32LE(0) !== magic) throw new Error('it is no 64-bit Mach-O file')
  const commands = []
  for (let at = 32; commands.length < bytes.readUInt32LE(16);) {
    const name = bytes.toString('latin1', at + 8, at + 24).replace(/\0.*$/s, '')
    commands.push({ at, kind: bytes.readUInt32LE(at), name })
    at += bytes.readUInt32LE(at + 4)
  }
  return commands
}
