// Loads the program together with what V8 made of it at build time, for a Node before 22.1.
'use strict'
const { readFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const path = require('node:path')
const { Script } = require('node:vm')

/** By file; the build asks the scripts for what V8 has compiled. */
const loaded = new Map()

/** As `require` does, for the files of the program. */
function load(file) {
  const known = loaded.get(file)
  if (known) return known.module.exports
  const module = { exports: {} }
  // V8 refuses what another V8 has made, and compiles the text.
  const cachedData = read(`${file}.cache`)
  const script = new Script(wrap(readFileSync(file, 'utf8')), { filename: file, cachedData })
  loaded.set(file, { module, script })
  const folder = path.dirname(file)
  const requireOther = createRequire(file)
  const requireHere = (id) => (id.startsWith('.') ? load(path.join(folder, id)) : requireOther(id))
  script.runInThisContext()(module.exports, requireHere, module, file, folder)
  return module.exports
}

function read(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

module.exports = { load, loaded }
