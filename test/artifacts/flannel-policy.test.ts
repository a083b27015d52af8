// What flannel's admission policy lets flanneld change in a Node, evaluated as the API server does it.
import { Environment } from '@marcbachmann/cel-js'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { compileBuiltin, renderCompiled, textsOf } from '../tools/bundle.ts'

interface Named {
  readonly name: string
  readonly expression: string
}
interface Policy {
  readonly spec: {
    readonly matchConditions: readonly Named[]
    readonly variables: readonly Named[]
    readonly validations: readonly { readonly message: string; readonly expression: string }[]
  }
}
type Part = Readonly<Record<string, unknown>>
interface Node {
  readonly metadata: Part
  readonly spec: Part
  readonly status: Part
}

const file = 'cluster/21-flannel-policy.yaml'
const files = textsOf(await renderCompiled(compileBuiltin('ws2022-flannel-overlay')))
const policy = parseAllDocuments(files.get(file) ?? '')[0]?.toJS() as Policy

const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })
const account = 'system:serviceaccount:kube-system:winnode-flannel'

/** Words of the messages with which a change is rejected. */
function rejections(oldObject: Node, object: Node): readonly string[] {
  const context = { object, oldObject, variables: {} as Record<string, unknown> }
  for (const { name, expression } of policy.spec.variables)
    context.variables[name] = cel.evaluate(expression, context)
  return policy.spec.validations
    .filter(({ expression }) => cel.evaluate(expression, context) !== true)
    .map(({ message }) => message.replace(/^flanneld of Windows nodes may /, ''))
}

const flannel = (name: string) => `flannel.alpha.coreos.com/${name}`
const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' }
const pressure = { type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure' }
const network = { type: 'NetworkUnavailable', status: 'False', reason: 'FlannelIsUp' }

const before: Node = {
  metadata: {
    name: 'win-1',
    resourceVersion: '7',
    labels: { 'kubernetes.io/os': 'windows' },
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    managedFields: [{ manager: 'kubelet.exe' }],
  },
  spec: { podCIDR: '10.244.3.0/24' },
  status: { capacity: { cpu: '4' }, images: [{ names: ['a'] }], conditions: [pressure, ready] },
}
const changed = (part: Partial<Record<keyof Node, Part>>): Node => ({
  metadata: { ...before.metadata, ...part.metadata },
  spec: { ...before.spec, ...part.spec },
  status: { ...before.status, ...part.status },
})
const annotated = (annotations: Part) =>
  changed({
    metadata: { annotations: { ...(before.metadata['annotations'] as Part), ...annotations } },
  })

t.test('flanneld can do what it does', async (t) => {
  // AcquireLease and CompleteLease in pkg/subnet/kube/kube.go of https://github.com/flannel-io/flannel
  const lease = annotated({
    [flannel('backend-type')]: 'vxlan',
    [flannel('backend-data')]: '{"VNI":4096,"VtepMAC":"00:15:5d:00:00:01"}',
    [flannel('public-ip')]: '10.0.0.4',
    [flannel('kube-subnet-manager')]: 'true',
  })
  const written = { metadata: { managedFields: [{ manager: 'flanneld.exe' }] } }
  const rows: readonly (readonly [string, Node, Node])[] = [
    ['the first lease', before, lease],
    ['no change', before, before],
    ['an annotation of flannel removed', lease, before],
    ['managedFields', before, changed(written)],
    ['the condition', before, changed({ status: { conditions: [network, pressure, ready] } })],
    [
      'the condition again, in another place',
      changed({ status: { conditions: [network, ready] } }),
      changed({ status: { conditions: [ready, { ...network, reason: 'x' }] } }),
    ],
    [
      'a node without annotations and conditions',
      { metadata: { name: 'win-1' }, spec: {}, status: {} },
      {
        metadata: { name: 'win-1', annotations: { [flannel('public-ip')]: '10.0.0.4' } },
        spec: {},
        status: { conditions: [network] },
      },
    ],
  ]
  for (const [name, from, to] of rows) t.strictSame(rejections(from, to), [], name)
})

t.test('flanneld’s token can change nothing else', async (t) => {
  const annotations = 'only change annotations below flannel.alpha.coreos.com/'
  const object = 'not change labels, finalizers, owners or the spec of a node'
  const condition = 'only change the condition NetworkUnavailable'
  const status = 'only change conditions in the status of a node'
  const rows: readonly (readonly [string, Node, string])[] = [
    ['another annotation', annotated({ x: '1' }), annotations],
    ['a name like it', annotated({ 'flannel.alpha.coreos.com.x/y': '1' }), annotations],
    [
      'another annotation changed',
      annotated({ 'volumes.kubernetes.io/controller-managed-attach-detach': 'false' }),
      annotations,
    ],
    ['annotations removed', changed({ metadata: { annotations: {} } }), annotations],
    [
      'a label',
      changed({ metadata: { labels: { 'node-restriction.kubernetes.io/tenant': 'a' } } }),
      object,
    ],
    ['labels removed', changed({ metadata: { labels: undefined } }), object],
    ['a finalizer', changed({ metadata: { finalizers: ['x/y'] } }), object],
    ['an owner', changed({ metadata: { ownerReferences: [{ kind: 'Pod' }] } }), object],
    ['a taint', changed({ spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } }), object],
    [
      'a condition',
      changed({ status: { conditions: [pressure, { ...ready, status: 'False' }] } }),
      condition,
    ],
    ['a condition removed', changed({ status: { conditions: [ready] } }), condition],
    [
      'a new condition',
      changed({ status: { conditions: [pressure, ready, { type: 'X', status: 'True' }] } }),
      condition,
    ],
    ['the capacity', changed({ status: { capacity: { cpu: '4', 'x/gpu': '8' } } }), status],
    ['images removed', changed({ status: { images: undefined } }), status],
    ['addresses', changed({ status: { addresses: [{ type: 'InternalIP' }] } }), status],
  ]
  for (const [name, to, message] of rows) {
    // Without keys whose value is undefined.
    const after = JSON.parse(JSON.stringify(to)) as Node
    t.strictSame(rejections(before, after), [message], name)
  }
})

t.test('the policy is about flanneld only', async (t) => {
  const { matchConditions } = policy.spec
  t.equal(matchConditions.length, 1)
  for (const username of [account, 'system:node:win-1', 'kubernetes-admin', `${account}-2`]) {
    const said = cel.evaluate(matchConditions[0]?.expression ?? '', {
      request: { userInfo: { username } },
    })
    t.equal(said, username === account, username)
  }
})
