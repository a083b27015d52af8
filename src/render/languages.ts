// The languages of templates, by the extension of the file that a template becomes.
import type { Notation } from './quote.ts'

export interface Language {
  /** How `{{x}}` is written. */
  readonly notation: Notation
  /** Further notations, each asked for by its name: `{{prose x}}`. */
  readonly words: readonly Notation[]
  /** Characters between which no expression may stand, since it brings its own. */
  readonly quotes: readonly string[]
  /** Whether the text between the expressions must be ASCII too. */
  readonly ascii: boolean
}

const rows: Readonly<Record<string, Language>> = {
  '.toml': { notation: 'toml', words: [], quotes: ['"', "'"], ascii: false },
  '.yaml': { notation: 'yaml', words: [], quotes: ['"', "'"], ascii: false },
  '.json': { notation: 'json', words: [], quotes: ['"'], ascii: false },
  '.md': {
    notation: 'codeSpan',
    words: ['prose', 'shell', 'powershell'],
    quotes: ['`'],
    ascii: false,
  },
  '.ps1': { notation: 'powershell', words: [], quotes: ['"', "'"], ascii: true },
}

/** `.toml` of `containerd/config.toml`; empty where the name has none. */
export function extensionOf(name: string): string {
  return /\.[^./]+$/.exec(name)?.[0] ?? ''
}

/** What a template becomes: its name without `.hbs`. */
export function outputName(template: string): string {
  return template.replace(/\.hbs$/, '')
}

/** The language of a template, or `undefined` where no row has its extension. */
export function languageOf(template: string): Language | undefined {
  const extension = extensionOf(outputName(template))
  return Object.hasOwn(rows, extension) ? rows[extension] : undefined
}
