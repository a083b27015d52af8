// Verifies the ad-hoc signature of a Mach-O file, which macOS on Apple silicon requires.
// https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/kern/cs_blobs.h
import { createHash } from 'node:crypto'
import { commandsOf, kinds } from './mach-o.mjs'

const superBlob = 0xfade0cc0
const codeDirectory = 0xfade0c02
const adHoc = 0x2
const sha256 = 2

/** What is wrong with the signature; `undefined` for a valid one. */
export function faultOfSignature(bytes) {
  const command = commandsOf(bytes).find(({ kind }) => kind === kinds.codeSignature)
  if (!command) return 'it has no signature'
  const place = bytes.readUInt32LE(command.at + 8)
  const end = place + bytes.readUInt32LE(command.at + 12)
  if (end !== bytes.length) return 'its signature is not its end'
  const directory = directoryOf(bytes.subarray(place))
  if (!directory) return 'its signature has no code directory'
  if ((directory.readUInt32BE(12) & adHoc) === 0) return 'its signature is not ad hoc'
  if (directory[37] !== sha256) return 'its signature is not of SHA-256'
  if (directory.readUInt32BE(32) !== place) return 'its signature is not of all before it'
  return faultOfPages(bytes, directory)
}

function directoryOf(blob) {
  if (blob.readUInt32BE(0) !== superBlob) return undefined
  for (let index = 0; index < blob.readUInt32BE(8); index += 1) {
    const found = blob.subarray(blob.readUInt32BE(16 + index * 8))
    if (found.readUInt32BE(0) === codeDirectory) return found
  }
  return undefined
}

function faultOfPages(bytes, directory) {
  const hashes = directory.readUInt32BE(16)
  const slots = directory.readUInt32BE(28)
  const limit = directory.readUInt32BE(32)
  const page = 2 ** directory[39]
  if (slots !== Math.ceil(limit / page)) return 'its signature is not of the whole file'
  for (let slot = 0; slot < slots; slot += 1) {
    const part = bytes.subarray(slot * page, Math.min((slot + 1) * page, limit))
    const signed = directory.subarray(hashes + slot * 32, hashes + slot * 32 + 32)
    if (!createHash('sha256').update(part).digest().equals(signed)) {
      return `its signature does not fit page ${slot}`
    }
  }
  return undefined
}
