// The alerts and the dashboard as Prometheus reads them: promtool loads the rules and plays series of nodes.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { compileBuiltin, renderCompiled, textsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const starts = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0
const skip = !starts && 'promtool is not on PATH: the alerts and the dashboard were not given to it'

const patch = {
  cluster: { windowsExporter: { enabled: true, prometheusRule: { labels: {} } } },
  host: { publishStatus: true },
}
const files = textsOf(await renderCompiled(compileBuiltin('ws2022-flannel-overlay', patch)))
const alerts = (
  parse(files.get('cluster/53-windows-exporter-rules.yaml') ?? '') as { readonly spec: object }
).spec

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}
const { panels } = JSON.parse(
  readFileSync(path.join(root, 'docs/grafana/winnode.json'), 'utf8'),
) as {
  readonly panels: readonly Panel[]
}
const exprOf = (title: string) => panels.find((one) => one.title === title)?.targets[0]?.expr ?? ''

function promtool(t: Test, action: readonly string[], documents: Record<string, unknown>): string {
  const folder = t.testdir()
  for (const [name, document] of Object.entries(documents))
    writeFileSync(path.join(folder, name), JSON.stringify(document))
  const [first = ''] = Object.keys(documents)
  const argv = [...action, path.join(folder, first)]
  const { status, stdout, stderr } = spawnSync('promtool', argv, { encoding: 'utf8' })
  return `exit ${status}\n${stdout}${stderr}`
}

/** One sample a minute, from 0 on. */
const series = (name: string, labels: Record<string, string>, values: string) => ({
  series: `${name}{${Object.entries(labels)
    .map(([key, value]) => `${key}="${value}"`)
    .join(',')}}`,
  values,
})

const web1 = { instance: 'web-1' }
const web2 = { instance: 'web-2' }
const warning = (labels: Record<string, string>, summary: string) => ({
  exp_labels: { severity: 'warning', ...labels },
  exp_annotations: { summary },
})

/** An alert that does not fire at the first time, and fires at the second. */
const fires = (alertname: string, silentAt: string, firesAt: string, expected: object) => [
  { eval_time: silentAt, alertname, exp_alerts: [] },
  { eval_time: firesAt, alertname, exp_alerts: [expected] },
]

t.test('each alert fires after its time, for the nodes that it is about', { skip }, async (t) => {
  t.match(promtool(t, ['check', 'rules'], { 'rules.json': alerts }), /^exit 0\n[^]*3 rules found/)
  const bundle = (labels: Record<string, string>) => series('winnode_bundle_info', labels, '1x1500')
  const tests = [
    {
      interval: '1m',
      input_series: [
        series('winnode_healthy', web1, '0x30'),
        series('winnode_healthy', web2, '1x30'),
      ],
      alert_rule_test: fires(
        'WindowsNodeUnhealthy',
        '9m',
        '11m',
        warning(web1, 'web-1: steps or health checks of winnode fail'),
      ),
    },
    {
      interval: '1m',
      input_series: [
        series('winnode_run_timestamp_seconds', web1, '0x200'),
        series('winnode_run_timestamp_seconds', web2, '0+60x200'),
      ],
      alert_rule_test: fires(
        'WindowsNodeLoopStopped',
        '2h',
        '2h7m',
        warning(web1, 'web-1: no complete run of the reconcile loop for two hours'),
      ),
    },
    {
      interval: '1m',
      input_series: [
        bundle({ ...web1, bundle: 'web', digest: 'a' }),
        bundle({ ...web2, bundle: 'web', digest: 'b' }),
        bundle({ instance: 'db-1', bundle: 'db', digest: 'c' }),
        bundle({ instance: 'db-2', bundle: 'db', digest: 'c' }),
      ],
      alert_rule_test: fires(
        'WindowsNodesOfSeveralBundles',
        '23h',
        '24h1m',
        warning({ bundle: 'web' }, 'nodes of web have different bundles'),
      ),
    },
  ]
  const played = { rule_files: ['rules.json'], evaluation_interval: '1m', tests }
  const said = promtool(t, ['test', 'rules'], { 'tests.json': played, 'rules.json': alerts })
  t.match(said, /^exit 0\n/)
})

t.test('each panel of the dashboard shows the value of its title', { skip }, async (t) => {
  const shows = (title: string, samples: readonly (readonly [string, number])[]) => ({
    expr: exprOf(title),
    eval_time: '3h',
    exp_samples: samples.map(([labels, value]) => ({ labels, value })),
  })
  const check = (name: string, verdict: string) => ({ ...web1, check: name, verdict })
  const expected = [
    shows('Nodes', [['{}', 2]]),
    shows('Unhealthy nodes', [['{}', 1]]),
    shows('Nodes without a run for two hours', [['{}', 1]]),
    shows('Bundles with different contents', [['{}', 1]]),
    shows('Healthy nodes', [['{}', 1]]),
    shows('Failed steps', [['{instance="web-1"}', 3]]),
    shows('Health checks that do not pass', [
      ['winnode_check{check="dns",instance="web-1",verdict="fail"}', 1],
    ]),
    shows('Bundles', [
      ['{bundle="web",digest="a"}', 1],
      ['{bundle="web",digest="b"}', 1],
    ]),
  ]
  t.strictSame(
    expected.map(({ expr }) => expr),
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    'every panel is tested',
  )
  const input = [
    series('winnode_healthy', web1, '0x200'),
    series('winnode_healthy', web2, '1x200'),
    series('winnode_run_timestamp_seconds', web1, '0x200'),
    series('winnode_run_timestamp_seconds', web2, '0+60x200'),
    series('winnode_failed_steps', web1, '3x200'),
    series('winnode_failed_steps', web2, '0x200'),
    series('winnode_check', check('dns', 'fail'), '1x200'),
    series('winnode_check', check('network', 'ok'), '1x200'),
    series('winnode_bundle_info', { ...web1, bundle: 'web', digest: 'a' }, '1x200'),
    series('winnode_bundle_info', { ...web2, bundle: 'web', digest: 'b' }, '1x200'),
  ]
  const tests = [{ interval: '1m', input_series: input, promql_expr_test: expected }]
  t.match(promtool(t, ['test', 'rules'], { 'tests.json': { tests } }), /^exit 0\n/)

  const healthy = [
    { ...shows('Unhealthy nodes', [['{}', 0]]), eval_time: '1h' },
    { ...shows('Nodes without a run for two hours', [['{}', 0]]), eval_time: '1h' },
    { ...shows('Bundles with different contents', [['{}', 0]]), eval_time: '1h' },
    { ...shows('Failed steps', []), eval_time: '1h' },
  ]
  const fine = [
    series('winnode_healthy', web2, '1x200'),
    series('winnode_run_timestamp_seconds', web2, '0+60x200'),
    series('winnode_failed_steps', web2, '0x200'),
    series('winnode_bundle_info', { ...web2, bundle: 'web', digest: 'b' }, '1x200'),
  ]
  const none = [{ interval: '1m', input_series: fine, promql_expr_test: healthy }]
  t.match(promtool(t, ['test', 'rules'], { 'tests.json': { tests: none } }), /^exit 0\n/, 'healthy')
})
