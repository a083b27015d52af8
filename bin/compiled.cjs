// The file in which lies what V8 has compiled of the program: a line of JSON, then the bytes of each script.
'use strict'
const { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } = require('node:fs')

/** By the name of the script; nothing where it is of another program. */
function readCompiled(file, program) {
  try {
    const content = readFileSync(file)
    const end = content.indexOf('\n')
    const sizes = JSON.parse(content.toString('utf8', 0, end))
    return slice(content.subarray(end + 1), sizes, program)
  } catch {
    return new Map()
  }
}

/** The names of all other scripts hold a digest of their text, and are in that of the program. */
function slice(content, { program: size, scripts }, program) {
  const compiled = new Map()
  if (content.toString('utf8', 0, size) !== program) return compiled
  let at = size
  for (const [name, length] of scripts) {
    compiled.set(name, content.subarray(at, at + length))
    at += length
  }
  return compiled
}

/** A run that starts meanwhile, and one after a power cut, finds the whole file or none. */
function writeCompiled(file, program, compiled) {
  const text = Buffer.from(program)
  const scripts = [...compiled].map(([name, { length }]) => [name, length])
  const sizes = Buffer.from(`${JSON.stringify({ program: text.length, scripts })}\n`)
  const fresh = `${file}.${process.pid}`
  try {
    const to = openSync(fresh, 'w', 0o600)
    writeSync(to, Buffer.concat([sizes, text, ...compiled.values()]))
    fsyncSync(to)
    closeSync(to)
    renameSync(fresh, file)
  } catch {
    // The next run compiles anew.
  }
}

module.exports = { readCompiled, writeCompiled }
