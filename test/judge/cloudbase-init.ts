// What cloudbase-init 1.1.9 does with user data, as far as scripts go; #cloud-config is not read here.
// https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdata.py

export interface Started {
  readonly run: string
  readonly extension: string
  readonly text: string
}
export interface Processed {
  readonly does: readonly Started[]
  readonly reboot: boolean
  /** All of it is processed again at the next start. */
  readonly runAgain: boolean
}

type Exits = (started: Started) => number

/** userdatautils.py: the first pattern that is found anywhere, those with ^ at the very beginning. */
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
function scriptsOf(text: string, fileExtension = ''): readonly Started[] {
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

/** execcmd.py: 1001 restarts, 1002 asks to be run again, 1003 both. */
function ended(code: number): Omit<Processed, 'does'> {
  const asks = code >= 1001 && code <= 1003
  return { reboot: asks && (code & 1) === 1, runAgain: asks && (code & 2) === 2 }
}

function runAll(does: readonly Started[], exits: Exits): Processed {
  return { does, ...ended(does.reduce((sum, one) => sum + exits(one), 0)) }
}

export function processUserData(userData: Buffer, exits: Exits = () => 0): Processed {
  const text = userData.toString()
  const [head = ''] = text.split('\n\n')
  if (head.includes('Content-Type: multipart')) return processParts(text, exits)
  return runAll(scriptsOf(text), exits)
}

function processParts(text: string, exits: Exits): Processed {
  const does: Started[] = []
  let last = ended(0)
  for (const part of partsOf(text.replaceAll('\r\n', '\n'))) {
    last = ended(0)
    if (part.type === 'text/x-shellscript' && part.fileName !== undefined) {
      const extension = /\.([^.]+)$/.exec(part.fileName)?.[1]?.toLowerCase()
      const one = runAll(scriptsOf(part.payload, extension), exits)
      does.push(...one.does)
      last = one
    }
    // What comes behind it is left out.
    if (last.reboot) break
  }
  return { ...last, does }
}

function partsOf(text: string) {
  // Python takes headers from the first line on, or none.
  const [head = '', ...rest] = text.split('\n\n')
  const boundary = /^Content-Type: multipart\/\S+ boundary="([^"]+)"/im.exec(head)?.[1]
  if (text.startsWith('\n') || boundary === undefined) return []
  const [, ...pieces] = `\n${rest.join('\n\n')}`.split(`\n--${boundary}`)
  const end = pieces.findIndex((piece) => piece.startsWith('--'))
  return pieces.slice(0, end).map((piece) => {
    const at = piece.indexOf('\n\n')
    const header = (name: string) =>
      new RegExp(`^${name}: ([^\\n]*)`, 'im').exec(piece.slice(0, at))?.[1] ?? ''
    const body = piece.slice(at + 2)
    const encoded = header('Content-Transfer-Encoding') === 'base64'
    return {
      type: header('Content-Type'),
      fileName: /filename="([^"]*)"/.exec(header('Content-Disposition'))?.[1],
      payload: encoded ? Buffer.from(body, 'base64').toString() : body,
    }
  })
}
