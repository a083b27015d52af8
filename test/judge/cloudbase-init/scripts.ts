// Which scripts cloudbase-init finds in a text, by what runs each, and what their exit codes ask for.
// https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdatautils.py

export interface Started {
  readonly run: string
  readonly extension: string
  readonly text: string
}

/** What the program does after the last script. */
export interface Ended {
  readonly reboot: boolean
  /** All of it is processed again at the next start. */
  readonly runAgain: boolean
}

export type Exits = (started: Started) => number

/** The first pattern that is found anywhere counts; those with ^ at the very beginning. */
const headers: readonly (readonly [pattern: RegExp, extension: string])[] = [
  [/^rem\s+cmd\s/, 'cmd'],
  [/^#!\s*\/usr\/bin\/env\s+python\s/, 'py'],
  [/^#!/, 'sh'],
  [/^#(ps1|ps1_sysnative)\s/, 'ps1'],
  [/^#ps1_x86\s/, 'ps1'],
]

const kinds: Readonly<Record<string, string>> = {
  cmd: 'shell',
  exe: 'shell',
  sh: 'bash',
  py: 'python',
  ps1: 'powershell',
}

const started = (extension: string, text: string): Started => ({
  run: kinds[extension] ?? '',
  extension: `.${extension}`,
  text,
})

/** A script by the extension of its file, where it has one, else by its text. */
export function scriptsOf(text: string, fileExtension = ''): readonly Started[] {
  const extension = ['cmd', 'py', 'exe', 'sh', 'ps1'].includes(fileExtension)
    ? fileExtension
    : headers.find(([pattern]) => pattern.test(text))?.[1]
  if (extension !== undefined) return [started(extension, text)]
  if (!/<\/?(script|powershell)>/.test(text)) return []
  // execcmd.py: all of <script> come first.
  const section = (tag: string, kind: string) =>
    [...text.matchAll(new RegExp(`<${tag}>([^]+?)</${tag}>`, 'g'))]
      .map(([, code = '']) => code.trim())
      .filter((code) => code !== '')
      .map((code) => started(kind, code))
  return [...section('script', 'cmd'), ...section('powershell', 'ps1')]
}

/** execcmd.py (get_plugin_return_value): 1001 restarts, 1002 asks to be run again, 1003 both. */
export function ended(code: number): Ended {
  const asks = code >= 1001 && code <= 1003
  return { reboot: asks && (code & 1) === 1, runAgain: asks && (code & 2) === 2 }
}

export function codeOf(scripts: readonly Started[], exits: Exits): number {
  return scripts.reduce((sum, one) => sum + exits(one), 0)
}
