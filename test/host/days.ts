// Runs a node for days on the simulated clock: the boot task when it is due, events, and Test-WinNode.ps1.
import path from 'node:path'
import type { NodeDocument } from './bundle.ts'
import { bring, changed, install, joinOrThrow, token } from './course.ts'
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

/** Pods begin to run, those with a network behind a Service; one is of a DaemonSet and has the node's network. */
export async function pods({ host, node }: Days): Promise<void> {
  const plugged = node.steps.some(({ kind }) => kind === 'hnsNetwork')
  const names = plugged ? ['web-1', 'web-2', 'web-3'] : []
  await host.ps(
    `Remove-HostPod
    foreach ($name in $with.names) { Add-HostPod -Name $name }
    Add-HostFirstPod
    if (-not (Test-HostPod -Name agent)) { Add-HostPod -Name agent -HostNetwork -Namespace kube-system }
    Add-HostService -Name default/web -Address 10.96.0.80 -Port @{ name = 'http'; port = 80; target = 8080; protocol = 'TCP' }`,
    { names },
  )
}

/** Time passes until the task is due, and it runs. */
export async function tick(host: Host): Promise<JsonRun> {
  const run = await host.ps<JsonRun & { text: string }>('Invoke-HostTask')
  return { ...run, result: JSON.parse(run.text) }
}

export const secondsOf = (host: Host): Promise<number> =>
  host.ps('& (Get-Module -Name host) { $script:Machine.Seconds }')

const runs = ({ node }: Days, name: string): boolean =>
  node.steps.some((step) => step.kind === 'serviceRunning' && step['name'] === name)

/** Whether something happens to nodes of this bundle at all. */
export function concerns(days: Days, { needs }: HostEvent): boolean {
  if (needs === undefined) return true
  if (needs === 'network') return days.node.steps.some(({ kind }) => kind === 'hnsNetwork')
  if (needs !== 'token file') return runs(days, needs)
  return filesOf(days.node).later.some((file) => file.endsWith('kube-proxy.token'))
}

/** What pods and Services lack, which Test does not look at: all of them, and whether they answer. */
export async function lacks(days: Days): Promise<string> {
  const balanced = runs(days, 'kube-proxy')
  return days.host.ps(`(Get-HostLack -Balanced:$with.balanced) -join '; '`, { balanced })
}

/**
 * The task runs until Test says 0, pods and Services work, and the event has its proof: how long that takes from when
 * it is over, and what is wrong where it takes too long.
 */
export async function settles(
  days: Days,
  {
    minutes,
    idle = false,
    lasts = 0,
    proof = '$true',
  }: Pick<HostEvent, 'minutes' | 'idle' | 'lasts' | 'proof'>,
  began: number,
): Promise<{ readonly took: number; readonly wrong: string }> {
  const { host } = days
  const over = began + lasts
  for (;;) {
    const run = idle ? undefined : await tick(host)
    const ended = await secondsOf(host)
    if (ended < over) continue
    // What was just started works a moment later; the kubelet says so within ten seconds.
    await host.ps('Start-Sleep -Seconds 30')
    // A run that has nothing to do was not waited for: all was well before it.
    const early = run?.result.exitCode === 0 && run.calls.length + changed(run).length === 0
    const took = (early ? Math.max(ended - 1800, over) + 30 : await secondsOf(host)) - over
    const test = await host.run('Test')
    const lack = await lacks(days)
    const shown = await host.ps<boolean>(proof)
    const wrong = `the loop: ${run ? trouble(run.result) : 'idle'}; Test: ${test.result.exitCode} ${trouble(test.result)}; lacks: ${lack}; proof: ${shown}`
    if (test.result.exitCode === 0 && lack === '' && shown) return { took, wrong: '' }
    if (took > minutes * 60) return { took, wrong }
  }
}
