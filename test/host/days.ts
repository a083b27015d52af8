// Runs a node for days on the simulated clock: the boot task when it is due, events, and Test-WinNode.ps1.
import path from 'node:path'
import type { NodeDocument } from './bundle.ts'
import { bring, install, joinOrThrow, token } from './course.ts'
import type { HostEvent } from './events.ts'
import { trouble, type Description, type Host, type JsonRun } from './host.ts'
import { filesOf, renderedMachine, stepOf, versionOf } from './rendered.ts'
import type { Stage } from './stage.ts'

export interface Days {
  readonly host: Host
  /** The folder that is its drive C:. */
  drive: string
  readonly node: NodeDocument
  /** The machine before it was installed, with the provided files. */
  readonly bare: Description
  /** Puts the bundle of the next minor version into its place. */
  readonly next: () => Promise<unknown>
}

/** A node with the bundle of a profile that has joined, which goes to its next minor version one day. */
export async function member(
  stage: Pick<Stage, 'host' | 'artifacts'>,
  profile: string,
  drive: string,
  /** What the machine is like before it is installed. */
  is = '',
): Promise<Days> {
  const { host } = stage
  const { node: asked, again } = await renderedMachine(stage, profile, drive)
  await host.ps(is)
  const [now, later] = stepOf(versionOf(asked))
  const serves = async (document: NodeDocument) =>
    host.ps(`Set-HostObject -Path /version -Value @{ gitVersion = 'v${versionOf(document)}' }`)
  const node = now.length > 0 ? again(now) : asked
  await serves(node)
  // A short time, so that it is due within the three days.
  await host.ps('Set-HostCluster -Name Days -Value 1')
  const { first, later: then, texts } = filesOf(node)
  for (const file of [...first, ...then]) bring(drive, [file], texts[path.win32.basename(file)])
  const bare = await host.describe()
  await install(host)
  await joinOrThrow(host, { Token: token })
  const next = async () => serves(again(later, path.join(days.drive, 'win-node')))
  const days: Days = { host, drive, node, bare, next }
  return days
}

/** Time passes until the task is due, and it runs. */
export async function tick(host: Host): Promise<JsonRun> {
  const run = await host.ps<JsonRun & { text: string }>('Invoke-HostTask')
  return { ...run, result: JSON.parse(run.text) }
}

export const secondsOf = (host: Host): Promise<number> =>
  host.ps('& (Get-Module -Name host) { $script:Machine.Seconds }')

/** Whether something happens to nodes of this bundle at all. */
export function concerns({ node }: Days, { needs }: HostEvent): boolean {
  const runs = node.steps.filter(({ kind }) => kind === 'serviceRunning')
  return needs === undefined || runs.some((step) => step['name'] === needs)
}

/** The task runs until Test says 0: how long that takes from when it is over, and what is wrong where it takes too long. */
export async function settles(
  host: Host,
  { minutes, lasts = 0 }: Pick<HostEvent, 'minutes' | 'lasts'>,
  began: number,
): Promise<{ readonly took: number; readonly wrong: string }> {
  const over = began + lasts
  for (;;) {
    const run = await tick(host)
    const ended = await secondsOf(host)
    if (ended < over) continue
    // What was just started works a moment later; the kubelet says so within ten seconds.
    await host.ps('Start-Sleep -Seconds 30')
    const took = (await secondsOf(host)) - over
    const test = await host.run('Test')
    const wrong = `the loop: ${run.result.exitCode} ${trouble(run.result)}; Test: ${test.result.exitCode} ${trouble(test.result)}`
    if (test.result.exitCode === 0) return { took, wrong: '' }
    if (took > minutes * 60) return { took, wrong }
  }
}
