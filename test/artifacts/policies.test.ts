// cluster.policies: which pods the admission policies reject, evaluated as the API server does it.
import { Environment } from '@marcbachmann/cel-js'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import type { JsonObject } from '../../src/model/json.ts'
import { compileBuiltin, renderCompiled, textsOf } from '../tools/bundle.ts'

interface Named {
  readonly name: string
  readonly expression: string
}
interface Policy {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly matchConstraints: {
      readonly resourceRules: readonly {
        readonly operations: readonly string[]
        readonly resources: readonly string[]
      }[]
    }
    readonly matchConditions?: readonly Named[]
    readonly variables?: readonly Named[]
    readonly validations: readonly { readonly message: string; readonly expression: string }[]
  }
}
interface Binding {
  readonly spec: {
    readonly policyName: string
    readonly validationActions: readonly string[]
    readonly matchResources?: {
      readonly namespaceSelector: {
        readonly matchExpressions: readonly {
          readonly key: string
          readonly operator: string
          readonly values: readonly string[]
        }[]
      }
    }
  }
}
type Pod = Readonly<Record<string, unknown>>

const files = {
  nodeSelector: 'cluster/40-policy-node-selector.yaml',
  hostProcess: 'cluster/41-policy-host-process.yaml',
}

async function render(policies: JsonObject): Promise<ReadonlyMap<string, string>> {
  const compiled = compileBuiltin('ws2022-flannel-overlay', { cluster: { policies } })
  return textsOf(await renderCompiled(compiled))
}

const documents = (text: string | undefined): readonly unknown[] =>
  parseAllDocuments(text ?? '').map((document) => document.toJS() as unknown)
const policyIn = (text: string | undefined) => documents(text)[0] as Policy
const bindingIn = (text: string | undefined) => documents(text)[1] as Binding

const namespaces = ['kube-system', 'monitoring']
const both = await render({ nodeSelector: true, hostProcessNamespaces: namespaces })
const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })

/** Messages with which the policy rejects a pod. */
function rejections({ spec }: Policy, podSpec: Pod): readonly string[] {
  const object = { metadata: { name: 'p' }, spec: podSpec }
  const context = { object, variables: {} as Record<string, unknown> }
  const { matchConditions = [], variables = [], validations } = spec
  if (!matchConditions.every(({ expression }) => cel.evaluate(expression, context) === true))
    return []
  for (const { name, expression } of variables)
    context.variables[name] = cel.evaluate(expression, context)
  return validations
    .filter(({ expression }) => cel.evaluate(expression, context) !== true)
    .map(({ message }) => message)
}

const containers = [{ name: 'c', image: 'i' }]
const windows = { os: { name: 'windows' }, containers }
const selector = (os: string) => ({ 'kubernetes.io/os': os })

t.test('a pod for Windows needs a node selector for Windows', async (t) => {
  const policy = policyIn(both.get(files.nodeSelector))
  const rows: readonly (readonly [string, Pod, boolean])[] = [
    ['no selector', windows, true],
    ['another selector', { ...windows, nodeSelector: { pool: 'web' } }, true],
    ['an empty selector', { ...windows, nodeSelector: {} }, true],
    ['a selector for Linux', { ...windows, nodeSelector: selector('linux') }, true],
    ['another case', { ...windows, nodeSelector: selector('Windows') }, true],
    ['a selector for Windows', { ...windows, nodeSelector: selector('windows') }, false],
    [
      'one of a RuntimeClass',
      { ...windows, nodeSelector: { ...selector('windows'), 'kubernetes.io/arch': 'amd64' } },
      false,
    ],
    ['a pod without an OS', { containers }, false],
    ['a pod for Linux', { os: { name: 'linux' }, containers }, false],
    ['a pod for Linux by its selector', { containers, nodeSelector: selector('linux') }, false],
  ]
  for (const [name, pod, rejected] of rows)
    t.equal(rejections(policy, pod).length, rejected ? 1 : 0, name)
  t.match(rejections(policy, windows)[0], /needs the nodeSelector kubernetes\.io\/os: windows/)
})

const option = (hostProcess: boolean) => ({ securityContext: { windowsOptions: { hostProcess } } })
const one = (hostProcess: boolean) => [{ name: 'c', image: 'i', ...option(hostProcess) }]

t.test('a HostProcess container is found wherever it is set', async (t) => {
  const policy = policyIn(both.get(files.hostProcess))
  const rows: readonly (readonly [string, Pod, boolean])[] = [
    ['on the pod', { containers, ...option(true) }, true],
    ['on its container', { containers: one(true) }, true],
    ['on the second container', { containers: [...containers, ...one(true)] }, true],
    ['on an init container', { containers, initContainers: one(true) }, true],
    ['on an ephemeral container', { containers, ephemeralContainers: one(true) }, true],
    ['false everywhere', { containers: one(false), ...option(false) }, false],
    ['nowhere', { containers, initContainers: containers }, false],
    [
      'another option',
      { containers, securityContext: { windowsOptions: { runAsUserName: 'u' } } },
      false,
    ],
    ['a security context alone', { containers, securityContext: {} }, false],
  ]
  for (const [name, pod, rejected] of rows)
    t.equal(rejections(policy, pod).length, rejected ? 1 : 0, name)
})

t.test('both apply when pods are created, and to added containers', async (t) => {
  const pods = { operations: ['CREATE'], resources: ['pods'] }
  const rulesOf = (file: string) =>
    policyIn(both.get(file)).spec.matchConstraints.resourceRules.map(
      ({ operations, resources }) => ({ operations, resources }),
    )
  t.strictSame(rulesOf(files.nodeSelector), [pods])
  t.strictSame(rulesOf(files.hostProcess), [
    pods,
    { operations: ['UPDATE'], resources: ['pods/ephemeralcontainers'] },
  ])
})

t.test('a binding enforces each policy', async (t) => {
  for (const file of Object.values(files)) {
    const { spec } = bindingIn(both.get(file))
    t.equal(spec.policyName, policyIn(both.get(file)).metadata.name, file)
    t.strictSame(spec.validationActions, ['Deny'], file)
  }
  t.strictSame(bindingIn(both.get(files.hostProcess)).spec.matchResources, {
    namespaceSelector: {
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: namespaces },
      ],
    },
  })
  t.notOk(bindingIn(both.get(files.nodeSelector)).spec.matchResources)
})

t.test('with an empty list no namespace is left out', async (t) => {
  const files41 = await render({ hostProcessNamespaces: [], action: 'Warn' })
  const { spec } = bindingIn(files41.get(files.hostProcess))
  t.strictSame(spec.validationActions, ['Warn', 'Audit'])
  // An expression without values is rejected by the API server.
  t.notOk(spec.matchResources)
  t.notOk(files41.has(files.nodeSelector))
})

t.test('off by default', async (t) => {
  const without = await render({})
  for (const file of Object.values(files)) t.notOk(without.has(file), file)
})
