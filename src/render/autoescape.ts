// Template text to the module that a bundle's renderer loads; runs only in the build.
import Handlebars from 'handlebars'
import { blockGuards, writeCall } from './guards.ts'
import { formatPlace } from './harden/fail.ts'
import { parseTemplate } from './harden/parse.ts'
import { rewriteProgram } from './harden/rewrite.ts'
import { checkText } from './harden/text.ts'
import { languageOf } from './languages.ts'

const names = [writeCall, ...Object.keys(blockGuards), ...Object.values(blockGuards)]

const options = {
  strict: true,
  knownHelpersOnly: true,
  // Values are quoted by the engine; HTML escapes would only damage them.
  noEscape: true,
}

/** The text of an ES module whose default export is the template; `name` is its path below `templates/`. */
export function precompileTemplate(source: string, name: string): string {
  const language = languageOf(name)
  if (!language) {
    throw new Error(`${formatPlace(name, { line: 1, column: 0 })}: no language has this extension`)
  }
  checkText(source, name, language)
  const program = rewriteProgram(parseTemplate(source, name), { source, language, lists: 0 })
  const knownHelpers = Object.fromEntries(names.map((known) => [known, true]))
  const spec: unknown = Handlebars.precompile(program, { ...options, knownHelpers })
  return `export default ${String(spec)}\n`
}
