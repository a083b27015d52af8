// Commands to run next, quoted for the shell.
import type { Finding } from '../model/finding.ts'
import { isPath } from '../io/profiles/profile-file.ts'
import { escapeControls } from '../text/printable.ts'

/** A bare word would name a built-in profile, and a leading dash a flag: both get `./`. */
export function profileReference(file: string): string {
  return isPath(file) && !file.startsWith('-') ? file : `./${file}`
}

export function validateCommand(file: string): string {
  return `winnode validate ${shellWord(file)}`
}

export function renderCommand(
  file: string,
  bundle: string,
  { root, facts, asOf, allowNewer }: ProfileWords = {},
): string {
  const words = [
    shellWord(file),
    '--out',
    shellWord(bundle),
    ...flagWords({ root, facts, asOf, allowNewer }),
  ]
  return ['winnode render', ...words].join(' ')
}

export function upgradeCommand(
  files: readonly string[],
  target: string,
  flags: UpgradeWords,
): string {
  const words = ['--to', target, '--write', ...flagWords(flags)]
  return ['winnode upgrade', ...files.map(shellWord), ...words].join(' ')
}

/** Flags that change how a profile is read. */
interface ProfileWords {
  readonly root?: string | undefined
  readonly facts?: string | undefined
  readonly asOf?: string | undefined
  readonly allowNewer?: boolean
}

/** With those that name a cluster and some of its nodes. */
export interface UpgradeWords extends ProfileWords {
  readonly acceptUntested?: boolean
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly selector?: string | undefined
}

/** `acceptUntested` is `--accept-untested`. */
function flagWords(words: object): readonly string[] {
  return Object.entries(words).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (typeof value === 'string') return [flag, quoted(value)]
    return value === true ? [flag] : []
  })
}

/** A row that `--facts` adds is known only with its file. */
export function explainCommand({ id, factsFile }: Pick<Finding, 'id' | 'factsFile'>): string {
  return `winnode explain ${id}${factsFile === undefined ? '' : ` --facts ${shellWord(factsFile)}`}`
}

export function solveCommand(file: string): string {
  return `winnode solve ${shellWord(file)} --write`
}

interface Quoting {
  readonly bare: RegExp
  /** A single quote within single quotes. */
  readonly quote: string
}

const posix: Quoting = { bare: /^[\w@%+=:,./-]+$/, quote: `'\\''` }
const powershell: Quoting = { bare: /^[\w+=:./\\-]+$/, quote: `''` }

function shellWord(file: string): string {
  return quoted(profileReference(file))
}

function quoted(word: string): string {
  const { bare, quote } = process.platform === 'win32' ? powershell : posix
  const text = escapeControls(word)
  return bare.test(text) ? text : `'${text.replaceAll("'", quote)}'`
}
