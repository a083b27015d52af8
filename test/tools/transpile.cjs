// What tap's TypeScript plugin calls for each file: compiles it once, and gives it to every test process from disk.
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const root = path.join(__dirname, '../..')
const host = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
}

/** Tells test/tools/loaded.mjs that nothing hung or ended the process on the way. */
const ending = "\nglobalThis[Symbol.for('winnode.loaded')]?.()\n"

exports.ending = ending

/** https://github.com/TypeStrong/ts-node/blob/v10.9.2/src/transpilers/types.ts */
exports.create = ({ service, home = path.join(root, '.tap/compiled') }) => {
  const { options } = service.config
  // Every file here is an ES module, as package.json says.
  const compilerOptions = { ...options, module: ts.ModuleKind.ESNext, isolatedModules: true }
  const setting = `${ts.version} ${JSON.stringify(compilerOptions)}${ending}`
  return {
    transpile(input, { fileName }) {
      const digest = createHash('sha256').update(setting).update(input).digest('hex')
      const file = path.join(home, `${path.relative(root, fileName)}.json`)
      const known = read(file)
      if (known?.digest === digest) return known
      const text = fileName.endsWith('.test.ts') ? `${input}${ending}` : input
      const asked = { fileName, compilerOptions, reportDiagnostics: true }
      const { outputText, sourceMapText, diagnostics } = ts.transpileModule(text, asked)
      if (diagnostics.length > 0) throw new SyntaxError(ts.formatDiagnostics(diagnostics, host))
      const fresh = { digest, outputText, sourceMapText }
      write(file, JSON.stringify(fresh))
      return fresh
    },
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Whole or not at all: others read it at the same time. */
function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
