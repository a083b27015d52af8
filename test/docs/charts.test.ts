// docs/charts: the values are of keys that each chart reads, and set what the page promises.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { isObject, valueAt, type Json } from '../../src/model/json.ts'
import { root } from '../tools/run.ts'

const folder = path.join(root, 'docs/charts')

/** Of values.yaml, and of templates where it lacks one; a list or a map of the user ends a path. */
const charts: Readonly<Record<string, { readonly see: string; readonly keys: readonly string[] }>> =
  {
    'azure-disk.yaml': {
      see: 'https://github.com/kubernetes-sigs/azuredisk-csi-driver/blob/v1.34.5/charts/v1.34.5/azuredisk-csi-driver/values.yaml',
      keys: [
        'windows.enabled',
        'windows.useHostProcessContainers',
        'windows.dsName',
        'windows.kubelet',
        'windows.getNodeInfoFromLabels',
        'windows.enableRegistrationProbe',
        'windows.tolerations',
        'windows.nodeSelector',
        'windows.affinity',
        'windows.nodeAffinity',
        'windows.resources',
      ],
    },
    'azure-file.yaml': {
      see: 'https://github.com/kubernetes-sigs/azurefile-csi-driver/blob/v1.35.7/charts/v1.35.7/azurefile-csi-driver/values.yaml',
      keys: [
        'windows.enabled',
        'windows.useHostProcessContainers',
        'windows.dsName',
        'windows.kubelet',
        'windows.kubeconfig',
        'windows.enableRegistrationProbe',
        'windows.tolerations',
        'windows.nodeSelector',
        'windows.affinity',
        'windows.nodeAffinity',
        'windows.resources',
      ],
    },
    'ebs.yaml': {
      see: 'https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/v1.64.0/charts/aws-ebs-csi-driver/templates/_node-windows.tpl',
      keys: [
        'node.enableLinux',
        'node.enableWindows',
        'node.windowsHostProcess',
        'node.tolerateAllTaints',
        'node.tolerations',
        'node.nodeSelector',
        'node.affinity',
        'node.resources',
      ],
    },
  }

const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')

/** `windows.enabled`; a list is a leaf. */
function leavesOf(value: Json | undefined, at = ''): readonly string[] {
  if (!isObject(value)) return [at]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, at === '' ? key : `${at}.${key}`),
  )
}

t.test('each file is of a known chart, and is linked', (t) => {
  t.strictSame(readdirSync(folder).sort(), Object.keys(charts).sort())
  const page = readFileSync(path.join(root, 'docs/charts.md'), 'utf8')
  for (const name of Object.keys(charts)) t.ok(page.includes(`(charts/${name})`), name)
  t.end()
})

t.test('each key is one that the chart reads', (t) => {
  for (const [name, { see, keys }] of Object.entries(charts)) {
    const leaves = leavesOf(parse(read(name)) as Json)
    t.ok(leaves.length > 0, name)
    t.strictSame(
      leaves.filter((leaf) => !keys.includes(leaf)),
      [],
      see,
    )
  }
  t.end()
})

t.test('HostProcess pods on nodes with any taint', (t) => {
  for (const name of ['azure-disk.yaml', 'azure-file.yaml']) {
    const values = parse(read(name)) as Json
    t.equal(valueAt(values, ['windows', 'useHostProcessContainers']), true, name)
    t.equal(valueAt(values, ['windows', 'kubelet']), 'C:\\var\\lib\\kubelet', name)
    t.strictSame(valueAt(values, ['windows', 'tolerations']), [{ operator: 'Exists' }], name)
  }
  const ebs = parse(read('ebs.yaml')) as Json
  t.equal(valueAt(ebs, ['node', 'windowsHostProcess']), true)
  t.equal(valueAt(ebs, ['node', 'tolerateAllTaints']), true)
  t.end()
})
