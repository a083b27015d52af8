// A PowerShell process with a simulated Windows Server in it, and the requests that tests make to it.
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { missing } from '../tools/powershell.ts'
import { startHost } from './pool.mjs'

/** Why the node side cannot be run here, or `false`; the runner counts it. */
export const untested: string | false =
  missing('pwsh') ||
  // Windows has its own drive C: and registry; access lists are kept as Linux keeps attributes.
  (process.platform !== 'linux' && 'the node side was not run: its host is simulated on Linux')

interface StepResult {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly restart: boolean
  readonly detail: string
}
export interface Result {
  readonly exitCode: number
  readonly restart: boolean
  readonly message: string
  readonly suspended: string
  readonly steps: readonly StepResult[]
  readonly preflight: readonly {
    readonly id: string
    readonly verdict: string
    readonly passed: boolean
    readonly message: string
  }[]
  readonly health: readonly {
    readonly id: string
    readonly kind: string
    readonly verdict: string
    readonly evidence: string
    readonly remedy: string
  }[]
}
export interface Run {
  /** Exit code of the script. */
  readonly code: number
  /** What it printed. */
  readonly text: string
  /** Its console output. */
  readonly talk: readonly string[]
  readonly errors: readonly string[]
  /** Calls that change Windows, by the names of their commands. */
  readonly calls: readonly string[]
  /** Native programs that were started. */
  readonly programs: readonly string[]
  /** Changes of the registry. */
  readonly writes: number
}
export interface JsonRun extends Run {
  readonly result: Result
}
export interface Cluster {
  readonly endpoint: string
  readonly ca: string
  readonly digest: string
}
/** Every file, registry value and setting, each as a line of text by its name. */
export type Description = Readonly<Record<string, string>>

export const scripts = ['Install', 'Join', 'Test', 'Suspend', 'Reset'] as const
export type Script = (typeof scripts)[number]
type Parameters = Readonly<Record<string, string | number | boolean>>

/** Where a person puts the bundle. */
const home = 'C:\\win-node'

export class Host {
  readonly #requests: Writable
  readonly #answers: AsyncIterator<string>
  readonly #lines: Interface
  readonly #end: () => void
  /** Only if the process is not lent. */
  readonly pid: number | undefined
  #stderr = ''

  private constructor(requests: Writable, answers: Readable, end: () => void, pid?: number) {
    this.#requests = requests
    this.#lines = createInterface({ input: answers })
    this.#answers = this.#lines[Symbol.asyncIterator]()
    this.#end = end
    this.pid = pid
  }

  /** A separate process, which may be killed. */
  static own(): Host {
    const process = startHost()
    const host = new Host(process.stdin, process.stdout, () => process.kill(), process.pid)
    process.stderr.on('data', (chunk: Buffer) => (host.#stderr += chunk.toString()))
    return host
  }

  /** One that served other test files, where `npm test` lends them. */
  static lent(): Host {
    const path = process.env['WINNODE_HOSTS']
    if (path === undefined) return Host.own()
    const socket = connect(path)
    return new Host(socket, socket, () => socket.destroySoon())
  }

  /** Runs PowerShell over the machine; `$with` holds the values. */
  async ps<T>(script: string, values: Readonly<Record<string, unknown>> = {}): Promise<T> {
    this.#requests.write(`${JSON.stringify({ script, with: values })}\n`)
    for (;;) {
      const { value, done } = await this.#answers.next()
      if (done) throw new Error(`PowerShell ended: ${this.#stderr}`)
      if (!value.startsWith('answer ')) continue
      const answer = JSON.parse(value.slice('answer '.length))
      if (!answer.ok) throw new Error(`${answer.error}\n${script}`)
      return answer.value
    }
  }

  /** A new machine, on a new drive C: in this folder. */
  async fresh(drive: string, options: Parameters = {}): Promise<void> {
    mkdirSync(drive, { recursive: true })
    await this.ps('$o = $with.options; New-HostMachine -Root $with.drive @o', { drive, options })
  }

  /** Runs a script of the bundle in C:\win-node, as a pipeline does. */
  async run(script: Script, parameters: Parameters = {}, bundle = home): Promise<JsonRun> {
    const run = await this.talk(script, { ...parameters, AsJson: true }, bundle)
    if (!run.text.startsWith('{')) throw new Error([run.text, ...run.errors].join('\n'))
    return { ...run, result: JSON.parse(run.text) }
  }

  /** The same, as a person does. */
  async talk(script: Script, parameters: Parameters = {}, bundle = home): Promise<Run> {
    return this.ps(
      '$p = $with.parameters; Invoke-HostScript -Name $with.script -Parameter $p -Bundle $with.bundle',
      { script, parameters, bundle },
    )
  }

  /** Keeps the machine beside its drive C: in this folder. */
  async save(folder: string): Promise<void> {
    await this.ps('Save-HostMachine -Path "$($with.folder)/machine.xml"', { folder })
  }

  /** Goes on with a machine that was kept. */
  async restore(folder: string): Promise<void> {
    const script =
      'Restore-HostMachine -Path "$($with.folder)/machine.xml" -Root "$($with.folder)/c"'
    await this.ps(script, { folder })
  }

  /** The cluster of the machine, as a profile names it. */
  async cluster(): Promise<Cluster> {
    return this.ps(`$ca = [WinNodeHost.ApiServer]::CaPem
      @{ ca = $ca; digest = [WinNodeHost.ApiServer]::Digest($ca); endpoint = "127.0.0.1:$([WinNodeHost.ApiServer]::Port)" }`)
  }

  async restart(): Promise<void> {
    await this.ps('Restart-HostMachine')
  }

  async describe(): Promise<Description> {
    return this.ps('Get-HostDescription')
  }

  stop(): void {
    this.#lines.close()
    this.#requests.end()
    this.#end()
  }

  /** Ends a process that no other file may get: what it did may show in what it does next. */
  discard(): void {
    this.#requests.write(`${JSON.stringify({ script: 'exit' })}\n`)
    this.stop()
  }
}

/** What is in one description and not, or differently, in the other. */
export function differences(
  before: Description,
  after: Description,
  but = /^$/,
): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names
    .filter((name) => before[name] !== after[name] && !but.test(name))
    .map((name) => `${name}: ${before[name] ?? 'nothing'} -> ${after[name] ?? 'nothing'}`)
}

/** What went wrong, for the message of a test. */
export function trouble({ message, steps, preflight, health }: Result): string {
  const failed = steps.filter(({ state }) => ['Failed', 'Unknown', 'Different'].includes(state))
  const refused = preflight.filter(({ passed }) => !passed)
  return [
    message,
    ...failed.map(({ id, state, detail }) => `${id} ${state}: ${detail}`),
    ...refused.map(({ id, verdict, message: why }) => `${id} ${verdict}: ${why}`),
    ...health
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ id, verdict, evidence }) => `${id} ${verdict}: ${evidence}`),
  ].join('; ')
}

/** How many steps ended in each state. */
export function tally({ steps }: Result): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { state } of steps) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
