// Reads one file of an npm package archive: https://www.gnu.org/software/tar/manual/html_node/Standard.html
import { gunzipSync } from 'node:zlib'

const block = 512

/** `undefined` where the archive has no such file. */
export function fileIn(archive, wanted) {
  const tar = gunzipSync(archive)
  for (let at = 0; at + block <= tar.length;) {
    const name = text(tar, at, 100)
    if (name === '') return undefined
    const size = Number.parseInt(text(tar, at + 124, 12), 8)
    const start = at + block
    if (name === `package/${wanted}`) return tar.subarray(start, start + size)
    at = start + Math.ceil(size / block) * block
  }
  return undefined
}

function text(bytes, at, length) {
  const field = bytes.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? length : end)
}
