// cluster.gmsa: its objects against the CRD and its recorded answers, and what a profile may say.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { judgeResource } from '../judge/api-server/custom-resource.ts'
import { verdictOf } from '../judge/finding.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'
import { crds } from '../tools/crds.ts'
import { root } from '../tools/run.ts'

const file = 'cluster/70-gmsa.yaml'

interface Case {
  readonly id: string
  readonly input: { readonly object: JsonObject }
  readonly answers: readonly [{ readonly verdict: string }]
}

const { cases } = JSON.parse(
  readFileSync(path.join(root, 'test/upstream/verdicts/gmsa-credentialspec.json'), 'utf8'),
) as { readonly cases: readonly Case[] }

function objectOf(id: string): JsonObject {
  const found = cases.find((one) => one.id === id)
  if (!found) throw new Error(`no case ${id}`)
  return found.input.object
}

const hostAccountConfig = {
  pluginGUID: '{CCC2A336-D7F3-4818-A213-272B7924213E}',
  pluginInput: 'ObjectId=1;SecretUri=https://x.vault.example/secrets/y',
}

const domainSid = 'S-1-5-21-2126449477-2524075714-3094792973'

/** The credential spec of the recorded cases. */
const webapp: JsonObject = {
  name: 'webapp1-credspec',
  machineAccountName: 'WebApp1',
  dnsName: 'corp.example.com',
  netBiosName: 'CORP',
  guid: '244818ae-87ac-4fcd-92ec-e79e5252348a',
  sid: domainSid,
  serviceAccounts: [{ namespace: 'web', name: 'webapp' }],
}

const profile = (...credentialSpecs: readonly Json[]): JsonObject => ({
  cluster: { gmsa: { credentialSpecs } },
})

const compiled = (patch: JsonObject) => compileBuiltin('ws2022-flannel-overlay', patch)

async function render(...specs: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const files = textsOf(await renderCompiled(compiled(profile(...specs))))
  return parseAllDocuments(files.get(file) ?? '').map((one) => one.toJS() as JsonObject)
}

const objectsOf = (kind: string, objects: readonly JsonObject[]) =>
  objects.filter((one) => one['kind'] === kind)

t.test('the objects are those that the CRD takes', async (t) => {
  for (const [id, spec] of [
    ['golden-domain-joined', webapp],
    ['golden-host-account-config', { ...webapp, hostAccountConfig }],
  ] as const) {
    const [credentialSpec = {}] = objectsOf('GMSACredentialSpec', await render(spec))
    t.strictSame(judgeResource(credentialSpec, crds()), [], id)
    t.strictSame(credentialSpec['credspec'], objectOf(id)['credspec'], id)
    t.equal(credentialSpec['apiVersion'], objectOf(id)['apiVersion'], id)
  }
})

t.test('the judge of the CRD agrees with its recorded answers', async (t) => {
  // kubectl asks for strict validation: what others drop is refused.
  const strict = (verdict: string) => (verdict === 'ignored' ? 'refused' : verdict)
  const differ = cases.filter(
    ({ input, answers: [{ verdict }] }) =>
      verdictOf(judgeResource(input.object, crds())) !== strict(verdict),
  )
  // Recorded of the schema alone; the API server also checks metadata.name.
  t.strictSame(
    differ.map(({ id }) => id),
    ['name-upper-case'],
  )
})

/** Cases that the CRD refuses or changes, or takes although they break: the profile that would ask for it. */
const refusedSpecs: Readonly<Record<string, JsonObject>> = {
  'credspec-as-json-text': { ...webapp, credspec: '{}' },
  'keys-lower-camel-case': { ...webapp, activeDirectoryConfig: {} },
  'cms-plugins-unknown-word': { ...webapp, cmsPlugins: ['ActiveDirectorys'] },
  'accounts-object-instead-of-list': { ...webapp, machineAccountName: { Name: 'WebApp1' } },
  'accounts-empty': { ...webapp, machineAccountName: '' },
  'account-name-with-dollar': { ...webapp, machineAccountName: 'WebApp1$' },
  'dns-name-upper-case-key': { ...webapp, DNSName: 'corp.example.com' },
  'guid-in-braces': { ...webapp, guid: '{244818ae-87ac-4fcd-92ec-e79e5252348a}' },
  'sid-of-account-not-domain': { ...webapp, sid: `${domainSid}-1104` },
  'host-account-config-version-number': {
    ...webapp,
    hostAccountConfig: { ...hostAccountConfig, portableCcgVersion: 1 },
  },
  'host-account-config-guid-without-braces': {
    ...webapp,
    hostAccountConfig: { ...hostAccountConfig, pluginGUID: 'CCC2A336-D7F3-4818-A213-272B7924213E' },
  },
  'name-upper-case': { ...webapp, name: 'WebApp1' },
  'extra-key-in-credspec': { ...webapp, Comment: 'x' },
}

/** Cases that no profile can ask for: the rendered object always has these parts, at these places. */
const always = [
  'v1beta1',
  'kind-lower-case-s',
  'spec-instead-of-credspec',
  'credspec-under-spec',
  'cms-plugins-missing',
  'accounts-missing',
  'account-without-scope',
  'domain-join-config-missing',
  'host-account-config-beside-active-directory-config',
  'extra-key-at-top',
]

t.test('what the CRD refuses, drops, or takes although it breaks, no bundle has', async (t) => {
  t.strictSame(
    cases
      .map(({ id }) => id)
      .filter((id) => !id.startsWith('golden-'))
      .sort(),
    [...Object.keys(refusedSpecs), ...always].sort(),
  )
  for (const [id, spec] of Object.entries(refusedSpecs))
    t.not(errorsOf(compiled(profile(spec))).length, 0, id)
  const [rendered = {}] = objectsOf(
    'GMSACredentialSpec',
    await render({ ...webapp, hostAccountConfig }),
  )
  t.strictSame(Object.keys(rendered), ['apiVersion', 'kind', 'metadata', 'credspec'])
  for (const id of always) t.notSame(rendered, objectOf(id), id)
})

t.test('values that are refused', async (t) => {
  const broken: readonly JsonObject[] = [
    { name: 'web_app1' },
    { name: 'webapp1.' },
    { machineAccountName: 'CORP\\WebApp1' },
    { machineAccountName: 'webapp1@corp.example.com' },
    { dnsName: 'CORP' },
    { netBiosName: 'corp.example.com' },
    { netBiosName: 'CORPORATION-DOMAIN' },
    { guid: '244818ae87ac4fcd92ece79e5252348a' },
    { sid: 'S-1-5-21-2126449477-2524075714' },
    { sid: 'S-1-5-32-544' },
    { sid: 's-1-5-21-1-2-3' },
    { sid: 'S-1-5-21-1-2-4294967296' },
    { hostAccountConfig: { ...hostAccountConfig, pluginInput: ' ' } },
    { hostAccountConfig: { pluginGUID: hostAccountConfig.pluginGUID } },
    { serviceAccounts: [] },
    { serviceAccounts: [{ namespace: 'web' }] },
    { serviceAccounts: [{ namespace: 'Web', name: 'webapp' }] },
  ]
  for (const fields of broken)
    t.not(errorsOf(compiled(profile({ ...webapp, ...fields }))).length, 0, JSON.stringify(fields))
  const missing = ['name', 'machineAccountName', 'dnsName', 'netBiosName', 'guid', 'sid']
  for (const key of [...missing, 'serviceAccounts']) {
    const rest = Object.fromEntries(Object.entries(webapp).filter(([name]) => name !== key))
    t.not(errorsOf(compiled(profile(rest))).length, 0, `without ${key}`)
  }
})

t.test('no password in the input of a plug-in', async (t) => {
  const idsOf = (pluginInput: string) =>
    errorsOf(
      compiled(profile({ ...webapp, hostAccountConfig: { ...hostAccountConfig, pluginInput } })),
    )
  for (const input of ['corp.example.com:gmsaccg:p4ss', 'CORP:u:a:b'])
    t.strictSame(idsOf(input), ['gmsa-plugin-input-has-password'], input)
  t.strictSame(idsOf('user=a;password=b'), ['secret-in-profile'])
  // Of the plug-ins of Azure, AWS and Rancher: each names a secret.
  for (const input of [
    'ObjectId=0b0e1a5c-1111-4000-8000-000000000000;SecretUri=https://v.vault.azure.net/secrets/gmsa',
    '{"credentialArn":"arn:aws:secretsmanager:eu-west-1:111122223333:secret:gmsa-a1b2c3"}',
    'cattle-windows-gmsa-system:gmsa-user',
  ])
    t.strictSame(idsOf(input), [], input)
})

t.test('service accounts may use their own credential spec only', async (t) => {
  const account = (namespace: string, name: string) => ({ namespace, name })
  const objects = await render(
    { ...webapp, serviceAccounts: [account('a', 'x'), account('b', 'y'), account('a', 'z')] },
    { ...webapp, name: 'two', serviceAccounts: [account('a', 'x')] },
  )
  const roles = objectsOf('ClusterRole', objects)
  t.strictSame(
    roles.map((role) => [valueAt(role, ['metadata', 'name']), role['rules']]),
    ['webapp1-credspec', 'two'].map((name) => [
      `winnode-gmsa-${name}`,
      [
        {
          apiGroups: ['windows.k8s.io'],
          resources: ['gmsacredentialspecs'],
          resourceNames: [name],
          verbs: ['use'],
        },
      ],
    ]),
  )
  const bindings = objectsOf('RoleBinding', objects).map((one) => [
    valueAt(one, ['roleRef', 'name']),
    valueAt(one, ['metadata', 'namespace']),
    one['subjects'],
  ])
  const subject = (namespace: string, name: string) => ({ kind: 'ServiceAccount', name, namespace })
  t.strictSame(bindings, [
    ['winnode-gmsa-webapp1-credspec', 'a', [subject('a', 'x'), subject('a', 'z')]],
    ['winnode-gmsa-webapp1-credspec', 'b', [subject('b', 'y')]],
    ['winnode-gmsa-two', 'a', [subject('a', 'x')]],
  ])
})

t.test('the root domain of the forest, and off by default', async (t) => {
  const [one = {}] = await render({ ...webapp, dnsTreeName: 'example.com' })
  t.equal(valueAt(one, ['credspec', 'DomainJoinConfig', 'DnsTreeName']), 'example.com')
  const twice = compiled(profile(webapp, webapp))
  t.strictSame(errorsOf(twice), ['gmsa-spec-given-twice'])
  t.notOk(textsOf(await renderCompiled(compiled({}))).has(file))
})

t.test('the check of a node asks for the domain, or for the plug-in that a spec names', (t) => {
  const check = (...specs: readonly JsonObject[]) =>
    compiled(profile(...specs)).plan?.health.find(({ id }) => id === 'gmsa')?.with
  t.equal(check(), undefined)
  t.strictSame(check(webapp), { plugins: [], domain: true })
  const other = { ...webapp, name: 'two', hostAccountConfig }
  const { pluginGUID } = hostAccountConfig
  t.strictSame(check(other), { plugins: [pluginGUID], domain: false })
  t.strictSame(check(webapp, other, { ...other, name: 'three' }), {
    plugins: [pluginGUID],
    domain: true,
  })
  t.end()
})
