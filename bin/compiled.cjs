// The file in which lies what V8 has compiled of the program: a line of JSON, then the bytes of each script.
'use strict'
const { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } = require('node:fs')

const nothing = () => ({ kinds: [], scripts: new Map() })

/** `scripts` by their names, and the `kinds` of runs that made them; nothing where it is of another program. */
function readCompiled(file, program) {
  try {
    const content = readFileSync(file)
    const end = content.indexOf('\n')
    const head = JSON.parse(content.toString('utf8', 0, end))
    return split(content.subarray(end + 1), head, program)
  } catch {
    return nothing()
  }
}

/** The names of all other modules hold a digest of their text, and are in that of the program. */
function split(content, { program: size, kinds = [], scripts }, program) {
  if (content.toString('latin1', 0, size) !== program) return nothing()
  const compiled = new Map()
  let at = size
  for (const [name, length] of scripts) {
    compiled.set(name, content.subarray(at, at + length))
    at += length
  }
  return { kinds, scripts: compiled }
}

/** A run that starts meanwhile, and one after a power cut, finds the whole file or none. */
function writeCompiled(file, program, { kinds, scripts }) {
  const text = Buffer.from(program, 'latin1')
  const sizes = [...scripts].map(([name, { length }]) => [name, length])
  const head = Buffer.from(`${JSON.stringify({ program: text.length, kinds, scripts: sizes })}\n`)
  const fresh = `${file}.${process.pid}`
  try {
    const to = openSync(fresh, 'w', 0o600)
    writeSync(to, Buffer.concat([head, text, ...scripts.values()]))
    fsyncSync(to)
    closeSync(to)
    renameSync(fresh, file)
  } catch {
    // The next run compiles anew.
  }
}

module.exports = { readCompiled, writeCompiled }
