// Types and lint: the compiler and the linter look at one program, which each would read and judge for itself.
import { ESLint } from 'eslint'
import ts from 'typescript'

const cwd = process.cwd()
const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file))
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, cwd)
const program = ts.createProgram(fileNames, options)
const faults = [...errors, ...ts.getPreEmitDiagnostics(program)]
const names = { getCurrentDirectory: () => cwd, getCanonicalFileName: (name) => name }
if (faults.length > 0)
  console.log(ts.formatDiagnostics(faults, { ...names, getNewLine: () => '\n' }))

const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
})
const results = await eslint.lintFiles(['.'])
const wrong = results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0)
if (wrong.length > 0) console.log(await (await eslint.loadFormatter()).format(wrong))
process.exitCode = faults.length + wrong.length > 0 ? 1 : 0
