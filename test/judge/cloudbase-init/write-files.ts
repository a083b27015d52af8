// What cloudbase-init writes for write_files, after its own decoding.
// https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdataplugins/cloudconfigplugins/write_files.py
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isObject, type Json, type JsonObject } from '../../../src/model/json.ts'

export interface Written {
  readonly write: string
  readonly append?: true
  readonly permissions: string
  readonly text: string
}

/** A service starts there. */
const workingFolder = 'C:\\Windows\\System32'

/** `write` gets each file before the next is read: after an exception in one, later files are not written. */
export function writeFiles(value: Json, write: (written: Written) => void): void {
  if (!Array.isArray(value) && !isObject(value)) throw new Error('cannot process this type of data')
  for (const item of (Array.isArray(value) ? value : [value]) as readonly JsonObject[]) {
    const { path: name, content, encoding, permissions, append } = item
    if (name === undefined || content === undefined) continue
    if (typeof name !== 'string' || typeof content !== 'string') throw new Error('is no text')
    write({
      write: path.win32.resolve(workingFolder, name),
      ...(isTrue(append) && { append: true }),
      permissions: `0o${permissionsOf(permissions).toString(8)}`,
      text: decoded(Buffer.from(content), encoding).toString(),
    })
  }
}

/** As Python takes it: also the text `false`. */
const isTrue = (value: Json | undefined) =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== ''

function permissionsOf(permissions: Json | undefined): number {
  if (typeof permissions === 'number') return Math.trunc(permissions)
  const digits = typeof permissions === 'string' ? /^(?:0o)?([0-7]+)$/.exec(permissions)?.[1] : ''
  return digits ? Number.parseInt(digits, 8) : 0o644
}

const steps: Readonly<Record<string, readonly ((content: Buffer) => Buffer)[]>> = {
  gz: [unzipped],
  gzip: [unzipped],
  'gz+base64': [ofBase64, unzipped],
  'gzip+base64': [ofBase64, unzipped],
  'gz+b64': [ofBase64, unzipped],
  'gzip+b64': [ofBase64, unzipped],
  b64: [ofBase64],
  base64: [ofBase64],
}

/** What it does not know is plain text. */
function decoded(content: Buffer, encoding: Json | undefined): Buffer {
  const name = typeof encoding === 'string' ? encoding.toLowerCase().trim() : ''
  return (steps[name] ?? []).reduce((bytes, step) => step(bytes), content)
}

/** Letters of other alphabets are left out; what is no base64 stays as it is. */
function ofBase64(content: Buffer): Buffer {
  const text = content.toString().replace(/[^\w+/=]/g, '')
  return text.length % 4 === 0 ? Buffer.from(text, 'base64') : content
}

/** What is no gzip stays as it is; what ends too early is an exception. */
function unzipped(content: Buffer): Buffer {
  const magic = content[0] === 0x1f && content[1] === 0x8b
  return magic ? gunzipSync(content) : content
}
