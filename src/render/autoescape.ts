// Precompiles a template so that every value is quoted for the language of the file; runs only in the build.
import Handlebars from 'handlebars'
import { blockHelpers, writeHelper } from './helper-names.ts'
import { formatPlace } from './autoescape/fail.ts'
import { parseTemplate } from './autoescape/parse.ts'
import { rewriteProgram } from './autoescape/rewrite.ts'
import { checkText } from './autoescape/check-text.ts'
import { languageOf } from './languages.ts'

const names = [writeHelper, ...Object.values(blockHelpers)]

const options = {
  strict: true,
  knownHelpersOnly: true,
  // The helpers quote values; HTML escapes would damage them.
  noEscape: true,
}

/** Returns an ES module whose default export is the template; `name` is its path below `templates/`. */
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
