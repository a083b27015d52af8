// cluster.csrApprover: its flags against recorded answers of kubelet-csr-approver, its objects, and what a profile may say.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { csrApproverName } from '../../src/addons/csr-approver.ts'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { type Answers, judgeRequest, type Request, startApprover } from '../judge/csr-approver.ts'
import { verdictOf } from '../judge/finding.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const file = 'cluster/52-csr-approver.yaml'
const cidrs = { network: { nodeCIDRs: ['10.0.0.0/24'] } }

const approver = (fields: JsonObject, more: JsonObject = cidrs): JsonObject =>
  mergeJson({ cluster: { csrApprover: { enabled: true, ...fields } } }, more)

const compiled = (patch: JsonObject) => compileBuiltin('ws2022-flannel-overlay', patch)

async function render(patch: JsonObject) {
  const files = textsOf(await renderCompiled(compiled(patch)))
  return {
    files,
    objects: parseAllDocuments(files.get(file) ?? '').map((one) => one.toJS() as Json),
  }
}

const container = ['spec', 'template', 'spec', 'containers', 0]

async function flagsOf(patch: JsonObject): Promise<readonly string[]> {
  const { objects } = await render(patch)
  const deployment = objects.find((one) => valueAt(one, ['kind']) === 'Deployment')
  return valueAt(deployment, [...container, 'args']) as readonly string[]
}

interface Case {
  readonly id: string
  readonly input: { readonly request?: Request; readonly dnsAnswers?: Answers }
  readonly answers: readonly [{ readonly verdict: string }]
}

const { cases } = JSON.parse(
  readFileSync(path.join(root, 'test/upstream/verdicts/csr-approver.json'), 'utf8'),
) as { readonly cases: readonly Case[] }

t.test('the program starts with the flags, and reads all of them', async (t) => {
  const profiles: readonly JsonObject[] = [
    approver({}),
    approver({ nodeNames: ['win-*', '*.corp.example.com'], allowedDNSNames: 1000 }),
    approver({ nodeCIDRs: ['10.0.0.0/24', 'fd00::/64', '10.1.0.5/16'] }, {}),
    approver({ bypassDNS: false, deny: true }),
  ]
  for (const patch of profiles) {
    const args = await flagsOf(patch)
    const { findings, flags } = startApprover(args)
    t.strictSame(findings, [], args.join(' '))
    t.equal(args.length, 5)
    for (const word of args) {
      const [, name = '', value = ''] = /^--([a-z-]+)=(.+)$/.exec(word) ?? []
      t.equal(String(flags[name]), value, name)
    }
  }
})

/** Recorded requests: what the rendered flags make of them, and with `deny`, `bypassDNS: false` and one DNS name. */
const expected: Readonly<Record<string, readonly [byDefault: string, strict: string]>> = {
  golden: ['accepted', 'accepted'],
  'no-dns-record': ['accepted', 'refused'],
  'no-dns-record-skip-deny': ['accepted', 'refused'],
  'dns-record-with-more-addresses': ['accepted', 'accepted'],
  'two-san-addresses-one-in-dns': ['ignored', 'refused'],
  'dual-stack-san-dns-only-v4': ['ignored', 'refused'],
  'dual-stack-san-bypass-dns': ['ignored', 'refused'],
  'san-upper-case-name': ['ignored', 'refused'],
  'two-dns-names-default': ['accepted', 'refused'],
  'no-dns-name-address-only': ['accepted', 'accepted'],
  'no-dns-name-address-only-allowed-regex-other': ['accepted', 'accepted'],
  'no-san-at-all': ['ignored', 'refused'],
  'regex-case': ['accepted', 'accepted'],
  'prefixes-outside': ['accepted', 'accepted'],
  'prefixes-outside-bypass-dns': ['accepted', 'accepted'],
  'prefixes-v4-only-v6-san-bypass': ['ignored', 'refused'],
  'username-of-bootstrap-token': ['ignored', 'refused'],
  'username-of-bootstrap-token-ignored': ['ignored', 'refused'],
  'expiration-not-asked': ['accepted', 'accepted'],
  'expiration-maximum-zero-not-asked': ['accepted', 'accepted'],
  'client-signer': ['ignored', 'ignored'],
  'legacy-signer': ['ignored', 'ignored'],
  'link-local-address-in-san': ['ignored', 'refused'],
}

t.test('each recorded request, with the flags of a profile', async (t) => {
  const lax = startApprover(await flagsOf(approver({}))).flags
  const strict = startApprover(
    await flagsOf(approver({ bypassDNS: false, deny: true, allowedDNSNames: 1 })),
  ).flags
  const requests = cases.flatMap(({ id, input: { request, dnsAnswers = {} } }) =>
    request === undefined ? [] : [{ id, request, dnsAnswers }],
  )
  const found = requests.map(({ id, request, dnsAnswers }) => [
    id,
    [lax, strict].map((flags) => verdictOf(judgeRequest(flags, request, dnsAnswers))),
  ])
  t.strictSame(Object.fromEntries(found), expected)
})

t.test('both addresses of a node, with both of its subnets', async (t) => {
  const { request, dnsAnswers = {} } =
    cases.find(({ id }) => id === 'dual-stack-san-bypass-dns')?.input ?? {}
  const { flags } = startApprover(
    await flagsOf(approver({ nodeCIDRs: ['10.0.0.0/24', 'fd00::/64'] })),
  )
  t.ok(request)
  if (request) t.strictSame(judgeRequest(flags, request, dnsAnswers), [])
})

/** Recorded starts that fail, or are not what was meant: the profile that would ask for it. */
const refusedStarts: Readonly<Record<string, JsonObject>> = {
  'flag-allowed-dns-names-0': approver({ allowedDNSNames: 0 }),
  'flag-allowed-dns-names-1001': approver({ allowedDNSNames: 1001 }),
  'flag-regex-empty': approver({ nodeNames: [''] }),
  'env-regex-empty': approver({ nodeNames: [] }),
  'flag-regex-lookahead': approver({ nodeNames: ['^(?!linux)'] }),
  'flag-prefixes-space-after-comma': approver({ nodeCIDRs: ['10.0.0.0/8, 192.168.0.0/16'] }),
  'flag-prefixes-bare-address': approver({ nodeCIDRs: ['10.0.0.5'] }),
  'flag-prefixes-empty': approver({ nodeCIDRs: [] }),
  'flag-prefixes-example-of-help-text': approver({ nodeCIDRs: ['192.168.0.0/16', 'fc00/7'] }),
  'flag-bool-yes': approver({ bypassDNS: 'yes' }),
}

/** Flags that no bundle has; `flag-bool-separate-value` is a form that none has. */
const absent = /^(?:flag-max-expiration|flag-level|env-|flag-bool-separate-value)/

t.test('what the program refuses or does not read is refused, or in no bundle', async (t) => {
  const starts = cases.filter(({ input }) => input.request === undefined)
  const bad = starts.filter(({ answers: [{ verdict }] }) => verdict !== 'accepted')
  t.strictSame(
    bad.map(({ id }) => id).filter((id) => !Object.hasOwn(refusedStarts, id) && !absent.test(id)),
    [],
  )
  for (const [id, patch] of Object.entries(refusedStarts)) {
    t.ok(
      bad.some((one) => one.id === id),
      id,
    )
    t.not(errorsOf(compiled(patch)).length, 0, id)
  }
  t.notMatch((await render(approver({}))).files.get(file), /max-expiration|--level|\benv:/)
})

t.test('names match as a whole', async (t) => {
  const regexOf = async (...nodeNames: readonly string[]) =>
    new RegExp(
      String(startApprover(await flagsOf(approver({ nodeNames }))).flags['provider-regex']),
    )
  const one = await regexOf('win-*', 'ip-*.ec2.internal')
  for (const name of ['win-1', 'win-1.corp.example.com', 'ip-10-0-0-5.ec2.internal', 'win-'])
    t.match(name, one)
  for (const name of ['lwin-1', 'WIN-1', 'win', 'ip-1xec2.internal', 'ip-1.ec2.internal.example'])
    t.notMatch(name, one)
  t.notMatch('win-01', await regexOf('in-0'), 'a part of the name is not enough')
  for (const pattern of ['Win-*', 'win-?', 'win-(a)', '.*', 'win-1$', '-win', 'win 1'])
    t.not(errorsOf(compiled(approver({ nodeNames: [pattern] }))).length, 0, pattern)
})

t.test('the objects belong together', async (t) => {
  const { objects } = await render(approver({}))
  const [, role, binding, deployment] = objects
  t.strictSame(
    objects.map((one) => valueAt(one, ['kind'])),
    ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Deployment'],
  )
  const name = csrApproverName
  for (const one of objects) t.equal(valueAt(one, ['metadata', 'name']), name)
  t.strictSame(valueAt(binding, ['subjects']), [
    { kind: 'ServiceAccount', name, namespace: 'kube-system' },
  ])
  t.equal(valueAt(binding, ['roleRef', 'name']), valueAt(role, ['metadata', 'name']))
  const pod = ['spec', 'template', 'spec']
  t.equal(valueAt(deployment, [...pod, 'serviceAccountName']), name)
  t.match(
    valueAt(deployment, ['spec', 'template', 'metadata', 'labels']),
    valueAt(deployment, ['spec', 'selector', 'matchLabels']),
  )
  // Two at once need leader election, and permissions for it.
  t.equal(valueAt(deployment, ['spec', 'replicas']), undefined)
  t.strictSame(valueAt(deployment, [...pod, 'nodeSelector']), { 'kubernetes.io/os': 'linux' })
  t.equal(valueAt(deployment, [...pod, 'os', 'name']), 'linux')
})

t.test('the kubelet requests a certificate, and the approver has a name', async (t) => {
  const bootstrap = async (patch: JsonObject) => {
    const text = (await render(patch)).files.get('files/kubelet/config.json') ?? '{}'
    return valueAt(JSON.parse(text), ['serverTLSBootstrap'])
  }
  t.equal(await bootstrap(approver({})), true)
  t.equal(await bootstrap(cidrs), false)
  const { files } = await render(approver({}))
  t.match(files.get('cluster/README.md'), 'Until `winnode-csr-approver` approves the CSR')
  const other = await render(
    approver({}, mergeJson(cidrs, { kubelet: { servingCertificateApprover: 'another' } })),
  )
  t.match(other.files.get('cluster/README.md'), 'Until `another` approves the CSR')
})

t.test('the bill names the image, and winnode.lock can pin it', async (t) => {
  const item = compiled(approver({})).plan?.bill.find(({ id }) => id === 'csr-approver-image')
  t.match(item, { url: 'ghcr.io/postfinance/kubelet-csr-approver:v1.2.14', version: 'v1.2.14' })
  const image = 'registry.example.com/kubelet-csr-approver:v1.2.14'
  const lock = { artifacts: { lock: { [image]: 'a'.repeat(64) } } }
  const { objects } = await render(approver({ image }, mergeJson(cidrs, lock)))
  t.equal(valueAt(objects[3], [...container, 'image']), `${image}@sha256:${'a'.repeat(64)}`)
})

t.test('off by default', async (t) => {
  const { files } = await render(cidrs)
  t.notOk(files.has(file))
  t.notOk(compiled(cidrs).plan?.bill.some(({ id }) => id === 'csr-approver-image'))
})
