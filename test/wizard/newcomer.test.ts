// What new users ran into, a row each: what winnode answers now, and what it must not contain.
import { t, type Test } from 'tap'
import { composeProfile } from '../../src/io/source/compose.ts'
import { plain, type Paint } from '../../src/present/paint.ts'
import { review } from '../../src/prompts/summary.ts'
import { engine } from '../../src/wizard/engine.ts'
import { kubeconfigOf, start, withStandIn } from '../cluster/asking.ts'
import { daemonSet, daemonSets, empty } from '../cluster/clusters.ts'
import { inProcess } from '../tools/run.ts'
import { choice, opening, run, upTo } from './answered.ts'

interface Row {
  readonly what: string
  readonly shown: (t: Test) => string | Promise<string>
  readonly must: readonly (string | RegExp)[]
  readonly never?: RegExp
}

/** Exit code, stdout and stderr. */
async function printed(argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await inProcess(argv)
  return `exit ${code}\n${stdout}${stderr}`
}

const toStdout = ['--yes', '--out', '-'] as const
const antrea = engine.give(opening(), 'cni', 'antrea')
const hints = ({ hint, must, example }: NonNullable<ReturnType<typeof engine.question>>) =>
  `hint: ${hint}\nmust: ${must}\nexample: ${example}`

const reviewOf = (answers: Readonly<Record<string, string>>, paint: Paint = plain) =>
  review(run(answers).outcome, { out: './node.yaml', diff: undefined }, { ...screen, paint })

const rows: readonly Row[] = [
  {
    what: 'a cluster with Cilium: no profile, and the supported plugins',
    shown: async (t) => {
      withStandIn(t)
      const sets = [daemonSet('cilium', 'registry.example.com/node:v1', 'x')]
      const server = await start(t, { objects: { ...empty.objects, [daemonSets]: sets } })
      const kubeconfig = kubeconfigOf(t, server.port)
      return printed(['init', '--from-cluster', '--kubeconfig', kubeconfig, ...toStdout])
    },
    must: [/^exit 3\n/, 'the cluster runs Cilium', 'supported network plugins: flannel'],
    never: /apiVersion|extends/,
  },
  {
    what: 'the CA hash: the command that prints it',
    shown: () => {
      const named = engine.give(opening(), 'endpoint', 'api.example.com:6443')
      return hints(upTo('ca-hashes', {}, named).question)
    },
    must: ['hint: `kubeadm token create --print-join-command`', 'must: '],
    never: /undefined|whoever/,
  },
  ...(
    [
      ['taints', 'windows', 'expected KEY=VALUE:EFFECT'],
      ['labels', 'pool', 'expected KEY=VALUE'],
      ['mirrors', 'harbor.corp.example', 'expected REGISTRY=URL'],
      ['downloads', 'https://files.corp.example', 'expected SOURCE=URL'],
    ] as const
  ).map(([id, typed, expected]) => ({
    what: `${id}: the form of a text, not of a data structure`,
    shown: () => `${engine.question(opening(), id)?.check(typed)}`,
    must: [expected, ', for example '],
    never: /must be a|\[0\]| map\b/,
  })),
  {
    what: 'an endpoint pasted from a kubeconfig is understood',
    shown: () =>
      `${engine.question(opening(), 'endpoint')?.check('https://api.example.com:6443/')}`,
    must: [/^undefined$/],
  },
  {
    what: 'a label that the kubelet may not set: the remedy of the rule',
    shown: () => printed(['init', '--labels', 'node-role.kubernetes.io/windows=', ...toStdout]),
    must: [/^exit 2\n/, 'Set the label with kubectl after the node has joined'],
  },
  {
    what: 'a default stands in the field, an example does not',
    shown: () => {
      const { question } = upTo('pod-network', {})
      return `${question.proposal}\n${question.example}`
    },
    must: [/^10\.244\.0\.0\/16\n/],
  },
  {
    what: 'the review has at most fifteen lines of eighty columns',
    shown: () => {
      const many = { labels: 'pool=web', 'max-pods': '60' }
      const sizes = [{}, many, { ...many, 'api-server': '1.33' }].map((answers) => {
        const lines = reviewOf(answers).split('\n')
        return `${lines.length} lines, ${Math.max(...lines.map((line) => line.length))} columns\n`
      })
      return sizes.join('')
    },
    must: [/^(?:(?:\d|1[0-5]) lines, (?:[1-7]?\d|80) columns\n){3}$/],
  },
  {
    what: 'the review: what to compare, its value, and where to look',
    shown: () => reviewOf({}),
    must: [
      'compare with the smallest machine: processors 4, memory 16Gi, disk 100Gi\n',
      /compare with your cluster: API server [^]* pod\s+CIDR\s+10\.244\.0\.0\/16,[^]*get\s+configmap\s+kubeadm-config\s+-o\s+yaml/,
    ],
  },
  {
    what: 'the review in colour: a warning, whole and wrapped',
    shown: () => reviewOf({ 'api-server': '1.33' }, (_, text) => `\u001b[35m${text}\u001b[39m`),
    must: [/\n\u001b\[35mwarning\[version-has-advisory\]\u001b\[39m /],
    never: /\\u001b|warning\[[^]*…/,
  },
  {
    what: 'an edited profile: the review has what changes, and no answers',
    shown: () => review(run({}).outcome, { out: './node.yaml', diff: '+added' }, screen),
    must: [/\nchanges of \.\/node\.yaml\n/, /\n\+added$/],
    never: /Windows Server release|…/,
  },
  {
    what: 'Windows Server 2016: its own reason',
    shown: () => {
      const where = 'GET /version'
      const found = [{ path: ['kubernetes', 'apiServer'], value: '1.34.2', where, others: [] }]
      const { question } = upTo('windows', {}, opening({ found }))
      return `${choice(question, 'ws2016')?.cannot}`
    },
    must: ['Windows Server 2016'],
    never: /kubelet|too new/,
  },
  {
    what: 'Windows Server 2019 with l2bridge keeps the update revision',
    shown: () => printed(['init', '--windows', 'ws2019', '--mode', 'l2bridge', ...toStdout]),
    must: [/^exit 0\n/, 'extends: ws2019-flannel-overlay'],
    never: /dsr-needs-patch-level/,
  },
  {
    what: 'Antrea without an endpoint: a reason for each flag',
    shown: () => printed(['init', '--cni', 'antrea', ...toStdout]),
    must: [
      /^exit 2\n/,
      /--endpoint: Antrea replaces kube-proxy/,
      /--ca-hashes: .*kubeadm token create --print-join-command/,
    ],
    never: /--ca-hashes: [^\n]*replaces kube-proxy|whoever|by itself/,
  },
  {
    what: 'a required flag: the command that prints its value',
    shown: () => printed(['init', '--endpoint', 'api.example.com:6443', ...toStdout]),
    must: [/^exit 2\n/, /--ca-hashes: .*kubeadm token create --print-join-command/],
  },
  {
    what: 'the CA hash with an endpoint: the reason is the verification',
    shown: () => hints(upTo('ca-hashes', { endpoint: 'api.example.com:6443' }, antrea).question),
    must: ['cannot verify the API server'],
  },
  {
    what: 'other words for a choice are understood',
    shown: () => printed(['init', '--windows', '2022', '--mode', 'vxlan', ...toStdout]),
    must: [/^exit 0\n/, 'release: ws2022', 'mode: overlay'],
  },
  {
    what: 'an unknown choice: the supported ones only',
    shown: () => printed(['init', '--windows', '2012', '--cni', 'cilium', ...toStdout]),
    must: [
      /--windows: "2012" is not supported; use one of ws2025, ws2022, ws2019\n/,
      '--cni: "cilium"',
    ],
    never: /ws2016|ws1709/,
  },
  {
    what: 'the profile has no value that was not asked, and no reminder',
    shown: () => {
      const { base, patch, comments } = run({}).outcome
      return composeProfile({ base, patch, comments, schema: undefined })
    },
    must: ['extends: ws2022-flannel-overlay'],
    never: /reserve|isolation|# Next|schema/,
  },
]

const screen = { paint: plain, columns: 80, verbose: false }

for (const { what, shown, must, never } of rows)
  t.test(what, async (t) => {
    const text = await shown(t)
    for (const one of must) t.match(text, one)
    if (never) t.notMatch(text, never)
  })
