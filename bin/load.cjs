// Loads the program with what V8 compiled of it in earlier runs of the same command, and keeps that for later ones.
'use strict'
const { readFileSync } = require('node:fs')
const { wrap } = require('node:module')
const path = require('node:path')
const { Script } = require('node:vm')
const { cacheFolder } = require('./cache-folder.cjs')
const { readCompiled, writeCompiled } = require('./compiled.cjs')

/** What `require(main)` gives. The other files of the program lie in one folder, `chunks` beside it. */
function loadProgram(main, argv) {
  const text = readFileSync(main, 'utf8')
  const file = fileOf(argv)
  const kept = file ? readCompiled(file, text) : new Map()
  const modules = new Map()
  const scripts = new Map()
  const chunks = path.join(path.dirname(main), 'chunks')

  function load(id) {
    if (!id.startsWith('.')) return require(id)
    const name = id.slice(id.lastIndexOf('/') + 1)
    const known = modules.get(name)
    if (known) return known.exports
    const chunk = `${chunks}${path.sep}${name}`
    return start(name, chunk, readFileSync(chunk, 'utf8'))
  }

  function start(name, filename, source) {
    const module = { exports: {} }
    // V8 refuses what another V8 has made, or under other options, and compiles the text.
    const script = new Script(wrap(source), { filename, cachedData: kept.get(name) })
    modules.set(name, module)
    scripts.set(name, script)
    script.runInThisContext()(module.exports, load, module, filename, path.dirname(filename))
    return module.exports
  }

  if (file) {
    process.once('exit', (code) => {
      // What was taken from the file stays as it is: V8 gives back less of it than it was given.
      const fresh = [...scripts].filter(
        ([name, script]) => !kept.has(name) || script.cachedDataRejected,
      )
      // One that ended early has called few of its functions, and would stand in the place of all.
      if (code !== 0 || fresh.length === 0) return
      // A function is compiled when it is first called: now all that this run called are.
      for (const [name, script] of fresh) kept.set(name, script.createCachedData())
      writeCompiled(file, text, kept)
    })
  }
  return start(path.basename(main), main, text)
}

/** One of each command, since each calls other functions, and of each Node. */
function fileOf(argv) {
  const folder = cacheFolder()
  const command = argv.find((word) => /^[a-z]+$/.test(word)) ?? 'winnode'
  return folder && path.join(folder, `${process.version}-${process.arch}-${command}`)
}

module.exports = { loadProgram }
