// The user data for EKS's image: what PowerShell reads in it, and what the bootstrap script gets.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { parse } from 'yaml'
import { kubeletFlags } from '../../src/cni/eks/arguments.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { fieldOfFlag } from '../judge/kubelet/flag-fields.ts'
import { judgeKubelet } from '../judge/kubelet/kubelet.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'
import { editions, missing, runScript } from '../tools/powershell.ts'
import { inProcess, root } from '../tools/run.ts'
import { linted, pod } from '../workloads/objects.ts'

const limit = 16_384

async function userData(over: JsonObject = {}): Promise<string> {
  const named = { network: { eks: { clusterName: 'prod' } } }
  const compiled = compileBuiltin('ws2022-eks', named, over)
  if (!compiled.plan) throw new Error(`refused: ${errorsOf(compiled).join(', ')}`)
  return textsOf(await renderCompiled(compiled)).get('user-data.txt') ?? ''
}

const golden = readFileSync(path.join(root, 'test/golden/ws2025-eks/bundle/user-data.txt'), 'utf8')

t.test('a flag sets the field that it stands for, in every minor', async (t) => {
  const flags = Object.entries(kubeletFlags)
  for (const [field, flag] of flags) t.equal(fieldOfFlag(flag), field)
  for (const { minor } of kubernetesMinors) {
    const line = flags.map(([, flag]) => `--${flag}=1`)
    const unknown = judgeKubelet({ flags: line }, minor).filter(({ message }) =>
      message.startsWith('unknown flag'),
    )
    t.strictSame(unknown, [], minor)
  }
})

t.test('EC2 finds one block, in ASCII and within its limit', async (t) => {
  for (const text of [golden, await userData()]) {
    t.match(text, /^<powershell>\n[^]*\n<\/powershell>\n$/)
    t.equal(text.match(/<\/?(?:powershell|script|persist)/g)?.length, 2)
    t.match(text, /^[\n\x20-\x7e]*$/)
    t.ok(text.length <= limit)
  }
})

t.test('a profile that the rules accept fits, up to the limit', async (t) => {
  const labels = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`example.com/${at}`, 'x']))
  const compiled = (count: number) =>
    compileBuiltin('ws2022-eks', {
      network: { eks: { clusterName: 'x'.repeat(100) } },
      kubelet: { labels: labels(count) },
    })
  let count = 1200
  while (errorsOf(compiled(count)).length > 0) count -= 1
  const text = textsOf(await renderCompiled(compiled(count))).get('user-data.txt') ?? ''
  t.ok(text.length <= limit, `${count} labels: ${text.length} bytes`)
  t.ok(text.length > limit - 64, 'and not much less')
})

t.test('process ids are reserved for what the profile names', async (t) => {
  const text = await userData({ reserve: { kube: { pid: '1000' }, system: { pid: '500' } } })
  t.match(text, /--kube-reserved="[^"]*,pid=1000" --system-reserved="[^"]*,pid=500"/)
})

for (const edition of editions)
  t.test(
    `the bootstrap script gets each parameter, ${edition}`,
    { skip: missing(edition) },
    async (t) => {
      const folder = t.testdir({})
      const scripts = path.join(folder, 'Amazon/EKS')
      mkdirSync(scripts, { recursive: true })
      const names = [
        'EKSClusterName',
        'KubeletExtraArgs',
        'KubeProxyExtraArgs',
        'APIServerEndpoint',
        'Base64ClusterCA',
        'DNSClusterIP',
        'ServiceCIDR',
        'ExcludedSnatCIDRs',
      ]
      // The parameters that the page of EKS lists.
      const parameters = names.map((name) => `[string]$${name}`).join(', ')
      writeFileSync(
        path.join(scripts, 'Start-EKSBootstrap.ps1'),
        `param(${parameters})\n$PSBoundParameters | ConvertTo-Json\n`,
      )
      const run = (text: string): unknown => {
        const body = text.replace(/^<powershell>\n/, '').replace(/<\/powershell>\n$/, '')
        const file = path.join(folder, 'user-data.ps1')
        writeFileSync(file, `$env:ProgramFiles = '${folder}'\n${body}`)
        return JSON.parse(runScript(edition, file))
      }
      const reserved =
        '--kube-reserved="cpu=80m,memory=1465Mi,ephemeral-storage=1024Mi" ' +
        '--system-reserved="cpu=200m,memory=2048Mi,ephemeral-storage=1024Mi"'
      t.strictSame(run(await userData({ network: { eks: { clusterName: 'a-b_1' } } })), {
        EKSClusterName: 'a-b_1',
        DNSClusterIP: '10.100.0.10',
        ServiceCIDR: '10.100.0.0/16',
        KubeletExtraArgs:
          `--register-with-taints="os=windows:NoSchedule" --max-pods=110 ${reserved} ` +
          '--eviction-hard="memory.available<500Mi,nodefs.available<10%" ' +
          '--windows-priorityclass=ABOVE_NORMAL_PRIORITY_CLASS --v=2',
      })
      const all = run(golden) as Readonly<Record<string, string>>
      t.equal(all['APIServerEndpoint'], 'https://0123456789abcdef.gr7.eu-west-1.eks.amazonaws.com')
      t.match(Buffer.from(all['Base64ClusterCA'] ?? '', 'base64').toString(), /^-----BEGIN CERT/)
      t.match(all['KubeletExtraArgs'], '--node-labels="example.com/pool=web,example.com/zone=a" ')
    },
  )

t.test('targets that run scripts are refused, and an archive is made', async (t) => {
  const folder = t.testdir({
    'node.yaml':
      'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-eks\n' +
      'network: { eks: { clusterName: prod } }\n',
  })
  const render = (target: string) =>
    inProcess(['render', `${folder}/node.yaml`, '--for', target, '--out', `${folder}/${target}`])
  for (const target of ['capi', 'packer', 'single-file', 'userdata']) {
    const { code, stderr } = await render(target)
    t.equal(code, 3, target)
    t.match(stderr, `error[unfit-for-${target}]`)
  }
  t.equal((await render('zip')).code, 0)
})

const digest = 'ab'.repeat(32)
const named = { network: { eks: { clusterName: 'prod' } } }

t.test('objects for the cluster are rendered where the nodes need no part of them', async (t) => {
  const cluster = {
    policies: { nodeSelector: true },
    imagePull: { images: ['registry.example.com/web:1.4.2'] },
    smbCsi: { enabled: true },
    fluentBit: { enabled: true, outputSecretName: 'fluent-bit-output' },
    drift: { image: 'registry.example.com/winnode:0.1.0' },
  }
  const files = textsOf(await renderCompiled(compileBuiltin('ws2022-eks', named, { cluster })))
  const manifests = [
    '40-policy-node-selector.yaml',
    '60-image-pull.yaml',
    '61-smb-csi.yaml',
    '62-smb-csi-driver.yaml',
    '64-fluent-bit.yaml',
    '80-drift.yaml',
  ]
  const { resources } = parse(files.get('cluster/kustomization.yaml') ?? '') as {
    readonly resources: readonly string[]
  }
  t.strictSame(resources, manifests)
  for (const name of manifests) {
    t.ok(files.has(`cluster/${name}`), name)
    t.match(files.get('README.md'), `cluster/${name}`, 'the README lists it')
  }
  t.match(files.get('cluster/README.md'), 'kubectl apply -k cluster')
  t.match(files.get('cluster/80-drift.yaml'), '- amazon-vpc-cni\n', 'drift may read it')
  const { components } = JSON.parse(files.get('bom.json') ?? '') as {
    readonly components: readonly { readonly name: string }[]
  }
  t.strictSame(
    components.map(({ name }) => name),
    [
      'windows-host-process-containers-base-image',
      'smb-csi-registrar',
      'fluent-bit',
      'smb-csi',
      'web',
      'winnode',
    ],
  )
  const none = textsOf(await renderCompiled(compileBuiltin('ws2022-eks', named)))
  t.notOk(none.has('cluster/kustomization.yaml'))
  t.notMatch(none.get('cluster/README.md'), 'kubectl apply -k')
})

t.test('winnode.lock pins images of add-ons', async (t) => {
  const image = 'registry.k8s.io/sig-storage/smbplugin:v1.20.3-windows-hp'
  const pinned = {
    cluster: { smbCsi: { enabled: true } },
    artifacts: { lock: { [image]: digest } },
  }
  const files = textsOf(await renderCompiled(compileBuiltin('ws2022-eks', named, pinned)))
  t.match(files.get('cluster/61-smb-csi.yaml'), `${image}@sha256:${digest}`)
})

t.test('objects that need a part on the node are refused', async (t) => {
  for (const name of ['windowsExporter', 'csrApprover'])
    t.strictSame(
      errorsOf(compileBuiltin('ws2022-eks', named, { cluster: { [name]: { enabled: true } } })),
      ['field-of-image'],
      name,
    )
})

t.test('a field without effect has no other finding', async (t) => {
  const { findings } = compileBuiltin('ws2022-eks', named, {
    kubelet: { cloudProvider: 'external' },
  })
  t.strictSame(
    findings.filter(({ severity }) => severity !== 'info').map(({ id }) => id),
    ['field-of-image'],
  )
})

t.test('null removes an inherited field that the image decides', async (t) => {
  const shared = {
    host: { pageFileMiB: 8096, firewall: { kubeletFrom: ['10.0.0.0/24'] } },
    kubelet: { dropInDirectory: 'C:\\conf.d' },
  }
  t.strictSame(errorsOf(compileBuiltin('ws2022-eks', named, shared)), [
    'field-of-image',
    'field-of-image',
  ])
  const removed = {
    host: { pageFileMiB: null, firewall: { kubeletFrom: null } },
    kubelet: { dropInDirectory: null },
  }
  t.strictSame(errorsOf(compileBuiltin('ws2022-eks', named, shared, removed)), [])
})

t.test('lint names no RuntimeClass of a bundle that has none', async (t) => {
  const node = compileBuiltin('ws2022-eks', named).facts
  const idsOf = (spec: JsonObject) => linted([pod(spec)], { node }).findings
  const [unselected] = idsOf({ nodeSelector: { 'kubernetes.io/os': 'windows' } })
  t.match(unselected, { id: 'build-not-selected', remedy: /nodeSelector/ })
  t.notMatch(unselected?.message, /bundle/)
  t.match(idsOf({ runtimeClassName: 'windows-2022' }), [{ id: 'runtime-class-unknown' }])
})
