// README.md and the tutorial: what their commands print, put where they stand.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { exits } from '../../src/commands/exit.ts'
import { everyCni, titleWithModes } from '../../src/cni/index.ts'
import { containerdLines } from '../../src/matrix/containerd.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { windowsReleases } from '../../src/matrix/windows.ts'
import { targetNames } from '../../src/targets/index.ts'
import { table } from './markdown.ts'
import { program, root, shell } from '../tools/run.ts'

const block = /^```(\w+)\n([^]*?)^```$/gm

/** The page with the output of each command of its `console` blocks; all run in one folder. */
export function withOutputs(name: string, folder: string): string {
  const text = readFileSync(path.join(root, name), 'utf8')
  return text.replace(block, (whole, language: string, body: string) => {
    const command = /^\$ (winnode .*)\n/.exec(body)?.[1]
    if (language !== 'console' || command === undefined || command === asking) return whole
    return `\`\`\`console\n$ ${command}\n${runLine(command, folder).output}\`\`\``
  })
}

/** Has its own way, since it wants a terminal. */
const asking = 'winnode init'

/** The page with what a terminal shows after a session of `winnode init`. */
export function withSession(name: string, screen: string): string {
  const text = readFileSync(path.join(root, name), 'utf8')
  return text.replace(block, (whole, language: string, body: string) =>
    language === 'console' && body.startsWith(`$ ${asking}\n`)
      ? `\`\`\`console\n$ ${asking}\n${screen}\n\`\`\``
      : whole,
  )
}

const prompt = 'PS C:\\win-node> '

/** The page with the output of each command at the prompt of a Windows machine. */
export async function withRuns(
  name: string,
  run: (command: string) => Promise<readonly string[]>,
): Promise<string> {
  let text = readFileSync(path.join(root, name), 'utf8')
  for (const [, , body = ''] of text.matchAll(block)) {
    const commands = body.split('\n').filter((line) => line.startsWith(prompt))
    let told = ''
    for (const command of commands) {
      const lines = await run(command.slice(prompt.length))
      told += [command, ...lines].map((line) => `${line}\n`).join('')
    }
    if (commands.length > 0) text = text.replace(body, () => told)
  }
  return text
}

/** The page with the table of exit codes as the program has it. */
export function withExits(name: string): string {
  const text = readFileSync(path.join(root, name), 'utf8')
  const rows = Object.values(exits).map(({ code, means }) => [String(code), means])
  return text.replace(
    /^\| exit +\| means +\|\n(?:\|.*\n)+/m,
    () => `${table(['exit', 'means'], rows)}\n`,
  )
}

/** The page with the table of what is supported as the tables have it. */
export function withSupport(name: string): string {
  const text = readFileSync(path.join(root, name), 'utf8')
  const releases = windowsReleases.filter(({ kubernetes }) =>
    kubernetes.some(({ status }) => status === 'supported'),
  )
  const rows = [
    [
      'Windows Server',
      releases.map((release) => release.name.replace('Windows Server ', '')).join(', '),
    ],
    ['Kubernetes', firstToLast(kubernetesMinors.map(({ minor }) => minor))],
    ['containerd', firstToLast(containerdLines.map(({ line }) => line))],
    ['Network plugins', everyCni.map(titleWithModes).join(', ')],
    ['Joining', 'kubeadm, bootstrapKubeconfig (TLS bootstrap without kubeadm)'],
    ['Output', targetNames.join(', ')],
  ]
  return text.replace(
    /^\| What +\| Supported +\|\n(?:\|.*\n)+/m,
    () => `${table(['What', 'Supported'], rows)}\n`,
  )
}

function firstToLast(versions: readonly string[]): string {
  return `${versions.at(0)} to ${versions.at(-1)}`
}

export function linesOf(name: string): readonly string[] {
  return readFileSync(path.join(root, name), 'utf8').trimEnd().split('\n')
}

export interface Fence {
  /** The page, and the line of the fence. */
  readonly place: string
  readonly language: string
  /** `not-run` behind the language: the tests only parse the block. */
  readonly notRun: boolean
  /** Without the indent of the list around it. */
  readonly text: string
}

/** Fenced blocks of a page. */
export function fencesOf(name: string): readonly Fence[] {
  const page = readFileSync(path.join(root, name), 'utf8')
  return [...page.matchAll(/^( *)```(\w*)( not-run)?\n([^]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: mark, 4: body = '' }) => ({
      place: `${name}:${page.slice(0, index).split('\n').length}`,
      language,
      notRun: mark !== undefined,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/** Blocks of a page in one language. */
export function blocksOf(name: string, language: string): readonly string[] {
  return fencesOf(name).flatMap((fence) => (fence.language === language ? [fence.text] : []))
}

/** Files that the page shows, by the name in their first line. */
export function filesIn(name: string): Readonly<Record<string, string>> {
  const found = blocksOf(name, 'yaml').flatMap((body) => {
    const file = /^# (\S+\.yaml)\n/.exec(body)?.[1]
    return file === undefined ? [] : [[file, body] as const]
  })
  return Object.fromEntries(found)
}

/** Commands of winnode that a reader would type in a shell. A loop is one command. */
export function commandsIn(body: string): readonly string[] {
  const text = body.replaceAll(/\\\n\s*/g, ' ')
  if (/^ +winnode /m.test(text)) return [text]
  const lines = text.split('\n').map((line) => line.replace(/^.*npx (?=winnode )/, ''))
  return lines.filter((line) => /(?:^|\| )winnode /.test(line))
}

/** Commands that need more than files, and why. */
export const unrun: readonly (readonly [RegExp, string])[] = [
  [/--from-cluster/, 'reads the cluster of a kubeconfig'],
  [/--(?:context|kubeconfig) /, 'compares the cluster of a kubeconfig'],
  [/^(?:helm|kubectl) /, 'reads a chart or a cluster'],
  [/^winnode lock /, 'reads checksum files of publishers, or a folder of downloads'],
  [/--merge shards/, 'reads what the pods of a Job wrote'],
  [/--platforms /, 'reads what crane prints'],
]

const called = program.map((_, at) => `"$program${at}"`).join(' ')
const named = program.map((_, at) => `program${at}=$${at}`).join(' ')
const prelude = `unset FORCE_COLOR; ${named}; winnode() { ${called} "$@"; }`

/** On the day of the page. */
export function datedLine(command: string): string {
  const dated = /^winnode (render|validate|profiles show) /.test(command)
  return dated ? `${command} --as-of 2026-11-20` : command
}

/** In a shell as a reader does it; both streams in their order. */
export function runLine(command: string, folder: string): { code: number | null; output: string } {
  const { code, stdout } = shell(`${prelude}; {\n${datedLine(command)}\n} 2>&1`, program, {
    cwd: folder,
    env: { NO_COLOR: '1', GITHUB_STEP_SUMMARY: 'summary.md' },
  })
  return { code, output: stdout }
}
