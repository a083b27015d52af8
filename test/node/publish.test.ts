// host.publishStatus: the condition and the annotation of the Node, and the metrics, as the loop publishes them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { joined, loop, reset, succeeded } from '../host/course.ts'
import { everyKind, withHealth } from '../host/every-kind.ts'
import type { Host } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'
import { root } from '../tools/run.ts'

const digest = 'd1'.repeat(32)
const document = { ...withHealth(everyKind()), publishStatus: true, nodeDigest: digest } as const
const inHost = (script: string): string => `& (Get-Module -Name host) { ${script} }`

interface Condition {
  readonly type: string
  readonly lastTransitionTime?: string
  readonly lastHeartbeatTime?: string
}

interface Node {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> | null }
  readonly status: { readonly conditions: readonly Condition[] }
}

const nodeOf = async (host: Host): Promise<Node> =>
  JSON.parse(
    String(await host.ps(inHost("$script:Machine.Cluster.Objects['/api/v1/nodes/node-a']"))),
  ) as Node

const conditionOf = async (host: Host) =>
  (await nodeOf(host)).status.conditions.find(({ type }) => type === 'WinNodeHealthy')

const metricsOf = (drive: string): string =>
  readFileSync(path.join(drive, 'ProgramData/winnode/metrics/winnode.prom'), 'utf8')

const log = (drive: string): string =>
  readFileSync(path.join(drive, 'var/log/winnode/winnode.log'), 'utf8')

const requestsOf = (host: Host) =>
  host.ps(inHost("@([WinNodeHost.ApiServer]::Requests() -like '* PUT *').Count"))

scenario('a healthy node publishes that it is', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  await loop(host)
  const node = await nodeOf(host)
  t.match(await conditionOf(host), {
    status: 'True',
    reason: 'NoProblemFound',
    message: 'all steps and health checks pass',
  })
  t.match(node.metadata.annotations, { 'winnode/bundle': digest })
  t.match(
    node.status.conditions.map(({ type }) => type),
    ['Ready', 'WinNodeHealthy'],
  )
  const text = metricsOf(drive)
  t.match(text, /^winnode_healthy 1$/m)
  const page = readFileSync(path.join(root, 'docs/node-metrics.md'), 'utf8')
  const written = Array.from(text.matchAll(/^# TYPE (\S+) gauge$/gm), ([, name]) => name)
  const dashboard = readFileSync(path.join(root, 'docs/grafana/winnode.json'), 'utf8')
  const drawn = JSON.parse(dashboard).panels.flatMap(
    ({ targets }: { targets: readonly { expr: string }[] }) =>
      targets.flatMap(({ expr }) => expr.match(/winnode_\w+/g)),
  )
  t.strictSame([...new Set(drawn)].sort(), [...written].sort(), 'the dashboard draws these metrics')
  t.strictSame(
    written,
    Array.from(page.matchAll(/^\| `(winnode_\w+)`/gm), ([, name]) => name),
    'the page lists these metrics',
  )
  t.match(text, /^winnode_check\{check="network",verdict="ok"\} 1$/m)
  t.match(text, new RegExp(`^winnode_bundle_info\\{bundle=".+",digest="${digest}"\\} 1$`, 'm'))
  t.strictSame(
    readdirSync(path.join(drive, 'ProgramData/winnode')).filter((name) =>
      name.startsWith('request-'),
    ),
    [],
    'the Node that was sent is deleted',
  )
})

scenarioOfAll('an unchanged node publishes once an hour', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  await loop(host)
  await loop(host)
  const first = await conditionOf(host)
  const puts = await requestsOf(host)
  await loop(host)
  t.equal(await requestsOf(host), puts, 'an idle run publishes nothing')
  await host.ps('Start-Sleep -Seconds 3600')
  succeeded(await loop(host))
  const second = await conditionOf(host)
  t.equal(await requestsOf(host), Number(puts) + 1)
  t.equal(second?.lastTransitionTime, first?.lastTransitionTime)
  t.not(second?.lastHeartbeatTime, first?.lastHeartbeatTime)
})

scenario('a failed check, and its end', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  await loop(host)
  const since = (await conditionOf(host))?.lastTransitionTime
  await host.ps('Set-HostFact -Name FreeSpace -Value 10GB')
  await loop(host)
  const condition = await conditionOf(host)
  t.match(condition, {
    status: 'False',
    reason: 'ProblemsFound',
    message: 'check disk: C: has 10 GiB of 100 free, expected more than 10',
  })
  t.not(condition?.lastTransitionTime, since)
  t.match(metricsOf(drive), /^winnode_healthy 0$/m)
  t.match(metricsOf(drive), /^winnode_check\{check="disk",verdict="fail"\} 1$/m)
  const puts = await requestsOf(host)
  await loop(host)
  t.equal(await requestsOf(host), puts, 'the same result again is not written')
  await host.ps('Set-HostFact -Name FreeSpace -Value 40GB')
  await loop(host)
  t.match(await conditionOf(host), { status: 'True' })
  t.match(metricsOf(drive), /^winnode_healthy 1$/m)
})

scenarioOfAll('a Node that the kubelet has just updated', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  await host.ps(inHost('$script:Machine.Cluster.Conflicts = 2'))
  await loop(host)
  t.match(await conditionOf(host), { status: 'True' }, 'written at the third attempt')
  t.notMatch(log(drive), /cannot be published/)
})

scenarioOfAll('an API server that rejects it', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  await host.ps(inHost('$script:Machine.Cluster.Conflicts = 9'))
  const run = await loop(host)
  t.equal(run.result.exitCode, 0, 'the node works')
  t.match(
    log(drive),
    /warn the health of the node cannot be published: Error from server \(Conflict\)/,
  )
  t.match(metricsOf(drive), /^winnode_healthy 1$/m)
})

scenarioOfAll('Reset removes the metrics', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  await loop(host)
  t.ok(existsSync(path.join(drive, 'ProgramData/winnode/metrics')))
  await reset(host)
  t.notOk(existsSync(path.join(drive, 'ProgramData/winnode/metrics')))
})

scenario('a bundle without host.publishStatus', async (t, { host, machine }) => {
  const drive = await machine(withHealth(everyKind()))
  await joined(host, drive)
  await loop(host)
  t.equal(await requestsOf(host), 0)
  t.notOk(existsSync(path.join(drive, 'ProgramData/winnode/metrics')))
})
