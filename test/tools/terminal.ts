// Runs a program on a pseudo-terminal: types keys and waits for output.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import xterm from '@xterm/headless'

export interface Terminal {
  readonly type: (...keys: readonly string[]) => void
  /** The output so far, without control sequences. */
  readonly text: () => string
  /** The output so far, with control sequences. */
  readonly raw: () => string
  /** The rendered screen with its scrollback, without trailing blanks. */
  readonly screen: () => Promise<string>
  /** Waits for a match after the last one; throws with the remaining text after 30 seconds. */
  readonly until: (shows: RegExp) => Promise<string>
  readonly resize: (columns: number, rows: number) => void
  readonly kill: (signal: string) => void
  readonly ended: Promise<{ readonly code: number; readonly signal: number }>
}

export interface Spawning {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

const timeout = 30_000

/** Undefined if no pseudo-terminal can be loaded. */
export async function terminals() {
  const pty = await import('@lydell/node-pty').catch(() => undefined)
  if (!pty) return undefined
  return (argv: readonly [string, ...string[]], spawning: Spawning = {}): Terminal => {
    const { columns = 80, rows = 24, env = {}, cwd } = spawning
    const [program, ...more] = argv
    const child = pty.spawn(program, more, {
      cols: columns,
      rows,
      name: 'xterm-256color',
      env: { ...clean(), LANG: 'C.UTF-8', ...env },
      ...(cwd !== undefined && { cwd }),
    })
    let written = ''
    let seen = 0
    let wake: () => void = () => undefined
    child.onData((data) => {
      written += data
      wake()
    })
    const text = () => stripVTControlCharacters(written).replaceAll('\r', '')
    return {
      type: (...keys) => {
        for (const key of keys) child.write(key)
      },
      text,
      raw: () => written,
      screen: () => screenOf(written, columns, rows),
      until: async (shows) => {
        const end = Date.now() + timeout
        for (;;) {
          const now = text()
          const match = shows.exec(now.slice(seen))
          if (match) {
            seen += match.index + match[0].length
            return match[0]
          }
          if (Date.now() > end) throw new Error(`no ${shows.source} in:\n${now.slice(seen)}`)
          await new Promise<void>((resolve) => {
            wake = resolve
            setTimeout(resolve, 200)
          })
        }
      },
      resize: (width, height) => {
        child.resize(width, height)
      },
      kill: (signal) => {
        child.kill(signal)
      },
      ended: new Promise((resolve) => {
        child.onExit(({ exitCode, signal = 0 }) => {
          resolve({ code: exitCode, signal })
        })
      }),
    }
  }
}

/** Renders output on a terminal of this size. */
export async function screenOf(written: string, cols: number, rows: number): Promise<string> {
  const { Terminal: Screen } = xterm
  const screen = new Screen({ cols, rows, scrollback: 10_000, allowProposedApi: true })
  await new Promise<void>((resolve) => {
    screen.write(written, resolve)
  })
  const { active } = screen.buffer
  const lines = Array.from({ length: active.length }, (_, at) =>
    active.getLine(at)?.translateToString(true),
  )
  screen.dispose()
  return lines.join('\n').trimEnd()
}

/** Variables of tap, a user or CI that would change the output. */
const removedVariables = ['NODE_EXTRA_CA_CERTS', 'NO_COLOR', 'FORCE_COLOR', 'LC_ALL']

function clean(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !removedVariables.includes(name)),
  )
}

export function onPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file))
}
