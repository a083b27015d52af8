// Signs a Mach-O file ad hoc: in executables for Intel, Bun leaves its own signature, which does not match.
// https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/kern/cs_blobs.h
import { createHash } from 'node:crypto'
import { commandsOf, kinds } from './mach-o.mjs'

const page = 4096
const identifier = Buffer.from('winnode\0')
const headerSize = 88
const superBlobSize = 20
/** CS_ADHOC | CS_LINKER_SIGNED: the signature is only a code directory. */
const flags = 0x20002

/** Returns the signed bytes. The file must have a signature load command, as Apple's linker writes. */
export function signAdHoc(unsigned) {
  const commands = commandsOf(unsigned)
  const signature = commands.find(({ kind }) => kind === kinds.codeSignature)
  const segment = (name) => commands.find((one) => one.kind === kinds.segment && one.name === name)
  const [text, linkEdit] = [segment('__TEXT'), segment('__LINKEDIT')]
  if (!signature || !text || !linkEdit) throw new Error('it has no place for a signature')
  const limit = unsigned.readUInt32LE(signature.at + 8)
  const slots = Math.ceil(limit / page)
  const length = headerSize + identifier.length + slots * 32
  const size = Math.ceil((superBlobSize + length) / 16) * 16
  const bytes = Buffer.alloc(limit + size)
  unsigned.copy(bytes, 0, 0, limit)
  bytes.writeUInt32LE(size, signature.at + 12)
  const linked = BigInt(limit + size) - bytes.readBigUInt64LE(linkEdit.at + 40)
  bytes.writeBigUInt64LE(linked, linkEdit.at + 48)
  bytes.writeBigUInt64LE(((linked + 0xfffn) / 0x1000n) * 0x1000n, linkEdit.at + 32)

  const blob = bytes.subarray(limit)
  for (const [at, value] of [0xfade0cc0, superBlobSize + length, 1, 0, superBlobSize].entries())
    blob.writeUInt32BE(value, at * 4)
  const directory = blob.subarray(superBlobSize)
  const hashes = headerSize + identifier.length
  const header = [0xfade0c02, length, 0x20400, flags, hashes, headerSize, 0, slots, limit]
  for (const [at, value] of header.entries()) directory.writeUInt32BE(value, at * 4)
  // Hash size, SHA-256, no platform, page size 2^12.
  directory.set([32, 2, 0, 12], 36)
  directory.writeBigUInt64BE(bytes.readBigUInt64LE(text.at + 40), 64)
  directory.writeBigUInt64BE(bytes.readBigUInt64LE(text.at + 48), 72)
  // CS_EXECSEG_MAIN_BINARY
  directory.writeBigUInt64BE(1n, 80)
  directory.set(identifier, headerSize)
  for (let slot = 0; slot < slots; slot += 1) {
    const part = bytes.subarray(slot * page, Math.min((slot + 1) * page, limit))
    directory.set(createHash('sha256').update(part).digest(), hashes + slot * 32)
  }
  return bytes
}
