// Changes that somebody began and did not finish: for each, the compiler or a test names what is missing, and where.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Linter } from 'eslint'
import t from 'tap'
import { parser } from 'typescript-eslint'
import ts from 'typescript'
import { changes, type Change } from './tools/half-made.ts'
import { root, shell } from './tools/run.ts'

const all = process.env['WINNODE_ALL'] === '1'

/** The text of a file after a change; what is replaced must be there. */
function edited({ file, from, to }: Change['edits'][number]): string {
  const at = path.join(root, file)
  const text = existsSync(at) ? readFileSync(at, 'utf8') : ''
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  return text.replace(from, () => to)
}

const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
  ts.sys.readFile(file),
)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
const resolved = ts.createModuleResolutionCache(root, (name) => name, options)
const read = new Map<string, ts.SourceFile | undefined>()
let last: ts.Program | undefined

/** Programs share the files that a change leaves alone, and only the named places are checked. */
function compiled({ edits, missing }: Change): readonly string[] {
  const texts = new Map(edits.map((edit) => [path.join(root, edit.file), edited(edit)]))
  const host = ts.createCompilerHost(options)
  const original = host.getSourceFile.bind(host)
  host.getModuleResolutionCache = () => resolved
  host.getSourceFile = (name, target) => {
    const text = texts.get(path.normalize(name))
    if (text !== undefined) return ts.createSourceFile(name, text, target, true)
    if (!read.has(name)) read.set(name, original(name, target))
    return read.get(name)
  }
  const roots = changes.flatMap((one) => (one.by === 'compiler' ? one.missing : []))
  const names = [...new Set(roots.map(({ file }) => path.join(root, file)))]
  last = ts.createProgram(names, options, host, last)
  const program = last
  return missing.flatMap(({ file }) => {
    const source = program.getSourceFile(path.join(root, file))
    const found = source ? program.getSemanticDiagnostics(source) : []
    return found.map(
      ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
}

for (const change of changes.filter(({ by }) => by === 'compiler'))
  t.test(`${change.name} does not compile`, async (t) => {
    const told = compiled(change)
    for (const { file, says } of change.missing)
      t.ok(
        told.some((line) => line.startsWith(`${file}: `) && says.test(line)),
        `${file}: ${String(says)}`,
        { told },
      )
  })

t.test('the linter names what is wrong', async (t) => {
  const linter = new Linter()
  const { default: lint } = await import(pathToFileURL(path.join(root, 'eslint.config.js')).href)
  const own = (lint as readonly Linter.Config[]).filter(
    (one) => one.rules && 'no-restricted-syntax' in one.rules,
  )
  for (const { name, edits, missing } of changes.filter(({ by }) => by === 'linter'))
    for (const edit of edits) {
      const languageOptions = { parser }
      const rules: Linter.RulesRecord = Object.assign({}, ...own.map((one) => one.rules))
      const said = linter.verify(edited(edit), [{ files: ['**/*.ts'], languageOptions, rules }], {
        filename: edit.file,
      })
      for (const { says } of missing.filter(({ file }) => file === edit.file))
        t.match(said.map(({ message }) => message).join('\n'), says, `${name}: ${edit.file}`)
    }
})

/** A copy of the tree as git sees it, with the built program and what was compiled of the tests. */
function copied(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnode-contributor-'))
  const kept = shell('git ls-files || ls -A', [], { cwd: root }).stdout.trim().split('\n')
  const names = new Set([...kept.map((name) => name.split('/')[0] ?? ''), 'dist', '.tap/compiled'])
  for (const name of [...names].filter((one) => one !== 'node_modules' && one !== '.git'))
    if (existsSync(path.join(root, name)))
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  return folder
}

const typescript = import.meta.resolve('@tapjs/typescript/import')

const tests = changes.filter(({ by }) => by.startsWith('test/'))
const told = tests.filter(({ sample }) => all || sample === true)

t.test('tests name what is missing', async (t) => {
  const folder = copied()
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const { name, by, edits, missing } of told)
    await t.test(name, async (t) => {
      for (const edit of edits) writeFileSync(path.join(folder, edit.file), edited(edit))
      const env = { TS_NODE_TRANSPILE_ONLY: '1', WINNODE_ALL: '' }
      const run = 'exec node --import "$0" "$1"'
      const { code, stdout } = shell(run, [typescript, by], { cwd: folder, env })
      t.equal(code, 1)
      for (const { file, says } of missing) t.match(stdout, says, `${by} names ${file}`)
      for (const { file } of edits) {
        const before = path.join(root, file)
        if (existsSync(before)) cpSync(before, path.join(folder, file))
        else rmSync(path.join(folder, file))
      }
    })
})
