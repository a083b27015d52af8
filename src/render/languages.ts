// The languages of templates, by extension of the rendered file.
import { ownOf } from '../model/json.ts'
import type { Notation } from './quote.ts'

export interface Language {
  /** The notation of `{{x}}`. */
  readonly notation: Notation
  /** Further notations, available as helpers: `{{prose x}}`. */
  readonly helpers: readonly Notation[]
  /** Quotes that a template must not put around an expression. */
  readonly quotes: readonly string[]
  /** The text of the template must be ASCII. */
  readonly ascii: boolean
}

const byExtension: Readonly<Record<string, Language>> = {
  '.toml': { notation: 'toml', helpers: [], quotes: ['"', "'"], ascii: false },
  '.yaml': { notation: 'yaml', helpers: [], quotes: ['"', "'"], ascii: false },
  '.json': { notation: 'json', helpers: [], quotes: ['"'], ascii: false },
  '.md': {
    notation: 'codeSpan',
    helpers: ['prose', 'shell', 'powershell'],
    quotes: ['`'],
    ascii: false,
  },
  '.sh': { notation: 'shell', helpers: [], quotes: ['"', "'"], ascii: true },
  // User data of EC2: PowerShell between tags.
  '.txt': { notation: 'powershell', helpers: [], quotes: ['"', "'"], ascii: true },
  '.ps1': { notation: 'powershell', helpers: [], quotes: ['"', "'"], ascii: true },
}

/** `.toml` of `containerd/config.toml`; empty where the name has none. */
export function extensionOf(name: string): string {
  return /\.[^./]+$/.exec(name)?.[0] ?? ''
}

/** The name of the rendered file: that of the template without `.hbs`. */
export function outputName(template: string): string {
  return template.replace(/\.hbs$/, '')
}

/** `undefined` for an unknown extension. */
export function languageOf(template: string): Language | undefined {
  const extension = extensionOf(outputName(template))
  return ownOf(byExtension, extension)
}
