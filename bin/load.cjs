// Loads the program with what V8 compiled of it in earlier runs of the same command, and keeps that for later ones.
'use strict'
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { Script } = require('node:vm')
const { cacheFolder } = require('./cache-folder.cjs')
const { readCompiled, writeCompiled } = require('./compiled.cjs')

/**
 * What the module `main` exports. Its script holds what is always needed, and `program.cjs` beside it the other
 * modules. `keep` says where what was compiled is kept, if anywhere, and of what kind this run is.
 */
function loadProgram(main, keep) {
  const text = readFileSync(main, 'latin1')
  const kept = keep ? readCompiled(keep.file, text) : undefined
  const modules = new Map()
  const scripts = new Map()
  const first = run('main', main, text)
  let rest

  function load(id) {
    if (!id.startsWith('.')) return require(id)
    return start(id.slice(id.lastIndexOf('/') + 1))
  }

  function start(name) {
    const known = modules.get(name)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(name, module)
    const body = first[name] ?? others()[name]
    body(module.exports, load, module, main, path.dirname(main))
    return module.exports
  }

  function others() {
    if (rest) return rest
    const filename = path.join(path.dirname(main), 'program.cjs')
    rest = run('program', filename, readFileSync(filename, 'latin1'))
    return rest
  }

  function run(name, filename, source) {
    // V8 refuses what another V8 has made, or under other options, and compiles the text.
    const script = new Script(source, { filename, cachedData: kept?.scripts.get(name) })
    scripts.set(name, script)
    return script.runInThisContext()
  }

  if (keep) {
    process.once('exit', (code) => {
      // One that ended early has called few of its functions, and would stand in the place of all.
      if (code === 0) keepCompiled(keep, text, kept, scripts)
    })
  }
  return start('main.cjs')
}

/** A function is compiled when it is first called: at its end, all that a run called are. */
function keepCompiled({ file, kind }, text, kept, scripts) {
  const isNew = ([name, script]) => !kept.scripts.has(name) || script.cachedDataRejected
  const begin = [...scripts].some(isNew)
  if (!begin && kept.kinds.includes(kind)) return
  const compiled = begin ? new Map() : new Map(kept.scripts)
  for (const [name, script] of scripts) {
    const data = script.createCachedData()
    // V8 drops what a long run called long ago.
    if (data.length > (compiled.get(name)?.length ?? 0)) compiled.set(name, data)
  }
  const kinds = begin ? [kind] : [...kept.kinds, kind]
  writeCompiled(file, text, { kinds, scripts: compiled })
}

/** A file of each command and Node; runs of one kind, by their flags, call about the same functions. */
function keptOf(argv) {
  const folder = cacheFolder()
  if (!folder) return undefined
  const command = argv.find((word) => /^[a-z]+$/.test(word)) ?? 'winnode'
  const flags = argv.flatMap((word) => /^--?[a-z-]+/.exec(word) ?? [])
  return {
    file: path.join(folder, `${process.version}-${process.arch}-${command}`),
    kind: [...new Set(flags)].sort().join(' '),
  }
}

module.exports = { keptOf, loadProgram }
