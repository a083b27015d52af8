// For each rule of workloads: objects where it fires, and objects where it is silent.
import type { JsonObject } from '../../src/model/json.ts'
import type { LintInput } from '../../src/workloads/lint.ts'
import { hostProcessImage } from '../../src/matrix/host-process-image.ts'
import { buildLabel } from '../../src/workloads/scheduling.ts'
import { app, container, hostProcess, limits, linux, nodeOf, pod, service } from './objects.ts'

type Objects = JsonObject | readonly JsonObject[]

export interface Row {
  readonly id: string
  readonly fires: Objects
  readonly silent: Objects
  readonly with?: LintInput
}

const row = (id: string, fires: Objects, silent: Objects, context: LintInput = {}): Row => ({
  id,
  fires,
  silent,
  with: context,
})

const overlay = nodeOf('ws2022-flannel-overlay')
const sc = (securityContext: JsonObject) => app({ securityContext })
const ofPod = (securityContext: JsonObject) => pod({ securityContext })
const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
const options = (windowsOptions: JsonObject) => ofPod({ windowsOptions })
const asHost = (windowsOptions: JsonObject) => ({
  windowsOptions: { hostProcess: true, ...windowsOptions },
})
/** The container sets it, not the pod. */
const asContainer = (windowsOptions: JsonObject) =>
  app({ securityContext: asHost(windowsOptions) }, { hostNetwork: true })
const user = (runAsUserName: string) => options({ runAsUserName })
const gmsa = { securityContext: { windowsOptions: { gmsaCredentialSpecName: 'web' } } }
const volume = (source: JsonObject) => pod({ volumes: [{ name: 'v', ...source }] })
const mounts = (...some: readonly JsonObject[]) =>
  app({ volumeMounts: some.map((one) => ({ name: 'v', mountPath: 'C:\\data', ...one })) })
const image = (name: string) => app({ image: name })
/** On any Windows node. */
const anywhere = (name: string) =>
  pod({
    nodeSelector: { 'kubernetes.io/os': 'windows' },
    containers: [{ ...container, image: name }],
  })
const old = { ...container, image: 'mcr.microsoft.com/windows/nanoserver:1809' }
const runtimeClassOf = (name: string, fields: JsonObject) => ({
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name },
  handler: 'runhcs-wcow-process',
  scheduling: { nodeSelector: { 'kubernetes.io/os': 'windows' } },
  ...fields,
})
const runtimeClass = (name: string, build: string) =>
  runtimeClassOf(name, {
    scheduling: { nodeSelector: { 'kubernetes.io/os': 'windows', [buildLabel]: build } },
  })
/** Nothing in it says that it is for Windows. */
const unmarked = (spec: JsonObject = {}, name = 'example.com/web:1') =>
  app({ image: name }, { os: null, nodeSelector: {}, ...spec })
/** The same, and it tolerates every taint. */
const onAnyNode = (spec: JsonObject = {}, name?: string) =>
  unmarked({ tolerations: [{ operator: 'Exists' }], ...spec }, name)
/** One of the terms is enough, of which each expression is needed. */
const terms = (some: readonly (JsonObject | readonly JsonObject[])[], spec: JsonObject = {}) =>
  pod({
    nodeSelector: {},
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: some.map((one) => ({ matchExpressions: [one].flat() })),
        },
      },
    },
    ...spec,
  })
const affinity = (operator: string, values: readonly string[], spec: JsonObject = {}) =>
  terms([{ key: 'kubernetes.io/os', operator, values }], spec)
const onEither = { key: 'kubernetes.io/os', operator: 'In', values: ['windows', 'linux'] }
const notOnLinux = { key: 'kubernetes.io/os', operator: 'NotIn', values: ['linux'] }
const onWindows = { key: 'kubernetes.io/os', operator: 'In', values: ['windows'] }
const eitherBuild = { key: buildLabel, operator: 'In', values: ['10.0.17763', '10.0.20348'] }
const notOn = (os: string) => affinity('NotIn', [os])
const eitherOs = ['windows', 'linux']
const forBoth = { os: null, containers: [{ ...container, image: 'example.com/web:1' }] }
const labelled = { name: 'web', labels: { app: 'web' } }
const namespace = (level: string, name = 'tools') => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': level } },
})

const claim = (name: string, spec: JsonObject) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec,
})
/** A volume and a class on NFS, and claims of both. */
const nfs: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'share' },
    spec: { nfs: { server: 'a', path: '/b' } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'nfs' },
    provisioner: 'nfs.csi.k8s.io',
  },
  claim('on-nfs', { volumeName: 'share' }),
  claim('by-class', { storageClassName: 'nfs' }),
  claim('other', { storageClassName: 'smb' }),
]
const volumeOf = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec,
})
const onNfs = { nfs: { server: 'a', path: '/b' } }
const manual = [
  volumeOf('one', { ...onNfs, storageClassName: 'manual' }),
  claim('a', { storageClassName: 'manual' }),
]
const classOf = (provisioner: string): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'files' },
  provisioner,
})
const claimed = (claimName: string) => ({ persistentVolumeClaim: { claimName } })
const statefulSet = (storageClassName: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    template: { spec: pod()['spec'] ?? {} },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName } }],
  },
})

export const rows: readonly Row[] = [
  row('os-name-unknown', pod({ os: { name: 'Windows' } }), pod({ os: null })),
  row('os-name-unknown', pod({ os: {} }), pod()),
  row(
    'variable-name-refused',
    app({ env: [{ name: 'ProgramFiles(x86)', value: 'a' }] }),
    app({ env: [{ name: 'Path', value: 'a' }] }),
    { apiServer: '1.31.14' },
  ),
  row(
    'variable-name-refused',
    app({ env: [{ name: '1st' }, { name: 'A B' }] }),
    app({ env: [{ name: 'My.Name-1' }] }),
    { apiServer: '1.25.16' },
  ),
  row('variable-name-refused', app({ env: [{ name: '..A' }] }), app({ env: [{ name: '.A' }] }), {
    apiServer: '1.31.14',
  }),
  ...['A=B', '\u00e4', 'A\tB'].map((name) =>
    row('variable-name-refused', app({ env: [{ name }] }), app({ env: [{ name: '..A (1)~' }] })),
  ),
  row('os-name-missing', pod({ os: null }), pod()),
  // What is for Windows: by its image, by its RuntimeClass, or because the scheduler can choose a node of the profile.
  row('os-name-missing', unmarked({}, container.image), unmarked()),
  row(
    'os-name-missing',
    [unmarked({ runtimeClassName: 'win' }), runtimeClassOf('win', { handler: 'other' })],
    [
      unmarked({ runtimeClassName: 'win' }),
      runtimeClassOf('win', { handler: 'other', scheduling: {} }),
    ],
  ),
  row(
    'os-name-missing',
    [unmarked({ runtimeClassName: 'win' }), runtimeClassOf('win', { scheduling: {} })],
    [unmarked({ runtimeClassName: 'gone' }), runtimeClassOf('win', { scheduling: {} })],
  ),
  row('os-not-selected', unmarked(), unmarked({ tolerations: [] }), { node: overlay }),
  row(
    'os-not-selected',
    unmarked({ nodeSelector: { 'kubernetes.io/arch': 'amd64', disk: 'ssd' } }),
    unmarked({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
    { node: overlay },
  ),
  row(
    'linux-pod-on-windows-node',
    onAnyNode({ hostPID: true, hostIPC: true, hostNetwork: true }),
    onAnyNode(),
    { node: overlay },
  ),
  row('linux-pod-on-windows-node', onAnyNode({ hostPID: true }), onAnyNode({ hostPID: false }), {
    node: overlay,
  }),
  row(
    'linux-pod-on-windows-node',
    onAnyNode({ hostNetwork: true }),
    onAnyNode({ hostNetwork: true, nodeSelector: { 'kubernetes.io/os': 'linux' } }),
    { node: overlay },
  ),
  row(
    'linux-pod-on-windows-node',
    onAnyNode({ volumes: [{ name: 'v', hostPath: { path: '/lib/modules' } }] }),
    onAnyNode({ volumes: [{ name: 'v', hostPath: { path: '/var/log/pods' } }] }),
    { node: overlay },
  ),
  row('linux-pod-on-windows-node', onAnyNode(), onAnyNode({}, 'example.com/other:1'), {
    node: overlay,
    platforms: new Map([['example.com/web:1', { windows: [], otherSystems: ['linux'] }]]),
  }),
  // A label, a RuntimeClass or a node that this profile does not have can be of Linux nodes.
  row(
    'linux-pod-on-windows-node',
    onAnyNode({ hostPID: true, nodeSelector: { 'kubernetes.io/arch': 'amd64' } }),
    [
      onAnyNode({ hostPID: true, nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } }),
      onAnyNode({ hostPID: true, runtimeClassName: 'gvisor' }),
      onAnyNode({ hostPID: true, nodeName: 'linux-1' }),
      onAnyNode({ hostPID: true, tolerations: [] }),
    ],
    { node: overlay },
  ),
  row(
    'windows-options-on-linux',
    pod({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }),
    pod({ securityContext: { windowsOptions: {} } }),
  ),
  row(
    'windows-options-on-linux',
    pod({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }),
    pod({ os: { name: 'linux' } }),
  ),
  row('os-not-selected', pod({ nodeSelector: {} }), pod()),
  row('os-not-selected', notOn('darwin'), notOn('linux')),
  row(
    'os-not-selected',
    terms([onWindows, { key: 'disk', operator: 'In', values: ['ssd'] }]),
    terms([onWindows, onWindows]),
  ),
  row('os-not-selected', terms([onEither]), terms([[onEither, notOnLinux]])),
  row('os-not-selected', terms([onEither]), terms([[notOnLinux, onEither]])),
  row(
    'os-not-selected',
    terms([onEither]),
    terms([onEither], { nodeSelector: { 'kubernetes.io/os': 'windows' } }),
  ),
  // Without os.name, either kind of node can be meant, if the image is for both.
  row('os-not-selected', affinity('In', eitherOs), affinity('In', eitherOs, forBoth)),
  row('os-not-selected', affinity('In', eitherOs, { os: null }), affinity('In', eitherOs, forBoth)),
  row('os-contradicts-selector', affinity('In', ['linux']), affinity('In', eitherOs)),
  row('os-contradicts-selector', pod({ os: { name: 'linux' } }), pod({ os: {} })),
  row('os-contradicts-selector', notOn('windows'), notOn('linux')),
  row('os-not-selected', pod({ nodeSelector: {} }), pod({ nodeSelector: {}, nodeName: 'win-1' })),
  row(
    'os-not-selected',
    pod({ nodeSelector: { 'kubernetes.io/arch': 'amd64' } }),
    pod({ nodeSelector: { 'kubernetes.io/hostname': 'win-1' } }),
  ),
  row(
    'os-contradicts-selector',
    pod({ nodeSelector: { 'kubernetes.io/os': 'linux' } }),
    pod({ nodeSelector: {} }),
  ),
  row('linux-privilege-escalation', sc({ allowPrivilegeEscalation: false }), sc({})),
  row('linux-capabilities', sc({ capabilities: {} }), sc({ capabilities: null })),
  row(
    'linux-capabilities',
    app({ securityContext: { capabilities: { add: ['NET_RAW'] } } }, { os: null }),
    app({ securityContext: restricted }, { os: null }),
  ),
  row('linux-seccomp', ofPod({ seccompProfile: {} }), ofPod({})),
  row('linux-apparmor', sc({ appArmorProfile: { type: 'RuntimeDefault' } }), sc({})),
  row('linux-selinux', sc({ seLinuxOptions: {} }), sc({})),
  row('linux-selinux-change-policy', ofPod({ seLinuxChangePolicy: 'Recursive' }), ofPod({})),
  row('linux-privileged', sc({ privileged: false }), sc({})),
  row('linux-proc-mount', sc({ procMount: 'Default' }), sc({})),
  row('linux-read-only-root', sc({ readOnlyRootFilesystem: false }), sc({})),
  row('linux-run-as-user', sc({ runAsUser: 0 }), sc({ runAsNonRoot: true })),
  row('linux-run-as-group', ofPod({ runAsGroup: 0 }), ofPod({})),
  row('linux-fs-group', ofPod({ fsGroup: 0 }), ofPod({})),
  row('linux-sysctls', ofPod({ sysctls: [{ name: 'a', value: '1' }] }), ofPod({ sysctls: [] })),
  row('linux-supplemental-groups', ofPod({ supplementalGroups: [] }), ofPod({})),
  row('linux-supplemental-groups-policy', ofPod({ supplementalGroupsPolicy: 'Merge' }), ofPod({})),
  row('linux-host-namespaces', pod({ hostPID: true }), pod({ hostPID: false, hostIPC: false })),
  row('linux-shared-processes', pod({ shareProcessNamespace: false }), pod()),
  row('linux-host-users', pod({ hostUsers: true }), pod()),
  row('linux-pod-resources', pod({ resources: {} }), pod()),
  row(
    'restricted-block-without-os-name',
    app({ securityContext: restricted }, { os: null }),
    sc(restricted),
  ),
  row(
    'host-process-without-host-network',
    pod({ ...hostProcess, hostNetwork: false }),
    pod(hostProcess),
  ),
  row(
    'host-process-in-part',
    pod({
      hostNetwork: true,
      containers: [
        { ...container, securityContext: { windowsOptions: { hostProcess: true } } },
        { ...container, name: 'other' },
      ],
    }),
    pod(hostProcess),
  ),
  row('host-process-user', pod({ ...hostProcess, securityContext: asHost({}) }), pod(hostProcess)),
  row('host-process-user', asContainer({}), asContainer({ runAsUserName: 'hpc-local-group' })),
  row(
    'host-process-user',
    pod({ ...hostProcess, securityContext: asHost({ runAsUserName: 'ContainerUser' }) }),
    user('ContainerUser'),
  ),
  row(
    'host-process-user',
    asContainer({ runAsUserName: 'containeradministrator' }),
    sc({ windowsOptions: { runAsUserName: 'ContainerAdministrator' } }),
  ),
  row('host-port-differs', app({ ports: [{ containerPort: 80, hostPort: 81 }] }, hostProcess), [
    app({ ports: [{ containerPort: 80, hostPort: 80 }, { containerPort: 81 }] }, hostProcess),
    app({ ports: [{ containerPort: 80, hostPort: 81 }] }),
  ]),
  row('host-network-without-host-process', pod({ hostNetwork: true }), pod(hostProcess)),
  ...['ClusterFirst', 'ClusterFirstWithHostNet'].map((dnsPolicy) =>
    row('host-network-without-host-process', pod({ hostNetwork: true, dnsPolicy }), pod()),
  ),
  row(
    'host-process-in-part',
    app({ securityContext: { windowsOptions: { hostProcess: false } } }, hostProcess),
    pod(hostProcess),
  ),
  row(
    'host-process-in-restricted-namespace',
    [pod(hostProcess, { namespace: 'tools' }), namespace('baseline')],
    [pod(hostProcess, { namespace: 'tools' }), namespace('privileged')],
  ),
  row(
    'host-process-in-restricted-namespace',
    [pod(hostProcess), namespace('baseline', 'default')],
    [pod(hostProcess), namespace('baseline')],
  ),
  row('run-as-user-name-malformed', user('a@b'), user('CORP\\web$')),
  // The API server counts bytes.
  row('run-as-user-name-malformed', user('a'.repeat(105)), user('a'.repeat(104))),
  row('run-as-user-name-malformed', user('ä'.repeat(53)), user('ä'.repeat(52))),
  ...[
    '',
    'a\u0007',
    'CORP\\a\\b',
    '.CORP\\a',
    'CORP\\',
    '. .',
    ...'" / : ; | = , + * ? < > @ [ ]'.split(' '),
  ].map((name) => row('run-as-user-name-malformed', user(name), user('CORP\\. a'))),
  row('run-as-user-name-malformed', user('CORP\\\\web'), user('corp.example.com\\web')),
  row(
    'gmsa-name-malformed',
    options({ gmsaCredentialSpecName: 'Web' }),
    options({ gmsaCredentialSpecName: 'web.a' }),
  ),
  row(
    'gmsa-spec-malformed',
    options({ gmsaCredentialSpec: '' }),
    options({ gmsaCredentialSpec: '{}' }),
  ),
  row('gmsa-of-init-container', pod({ initContainers: [{ ...container, ...gmsa }] }), app(gmsa)),
  row(
    'administrator-with-run-as-non-root',
    app(
      { securityContext: { runAsNonRoot: true } },
      user('containeradministrator')['spec'] as JsonObject,
    ),
    sc({ runAsNonRoot: true }),
  ),
  row(
    'run-as-non-root-without-user',
    app({ image: 'example.com/web:1', securityContext: { runAsNonRoot: true } }),
    sc({ runAsNonRoot: true }),
  ),
  row(
    'run-as-non-root-without-user',
    app(
      { image: 'mcr.microsoft.com/windows/servercore:ltsc2022' },
      { securityContext: { runAsNonRoot: true } },
    ),
    app({ image: 'example.com/web:1' }, user('ContainerUser')['spec'] as JsonObject),
  ),
  row(
    'block-device',
    app({ volumeDevices: [{ name: 'v', devicePath: 'E:' }] }),
    app({ volumeDevices: [] }),
  ),
  row('volume-in-memory', volume({ emptyDir: { medium: 'Memory' } }), volume({ emptyDir: {} })),
  ...['HugePages', 'HugePages-2Mi', 'memory'].map((medium) =>
    row(
      'volume-medium-refused',
      volume({ emptyDir: { medium } }),
      volume({ emptyDir: { medium: 'Memory' } }),
    ),
  ),
  row(
    'volume-in-memory',
    volume({ emptyDir: { medium: 'Memory' } }),
    volume({ emptyDir: { medium: 'HugePages' } }),
  ),
  row('volume-on-nfs', volume({ nfs: { server: 'a', path: '/b' } }), volume({ csi: {} })),
  row(
    'volume-plugin-of-linux',
    volume({ iscsi: { targetPortal: 'a:3260', iqn: 'iqn.2001-04.com.example:a', lun: 0 } }),
    volume({ iscsi: null, csi: {} }),
  ),
  row('volume-plugin-of-linux', volume({ fc: { lun: 0 } }), volume({ azureFile: {} })),
  ...['nfs.csi.k8s.io', 'efs.csi.aws.com'].map((driver) =>
    row(
      'volume-on-nfs',
      volume({ csi: { driver } }),
      volume({ csi: { driver: 'smb.csi.k8s.io' } }),
    ),
  ),
  row('volume-on-nfs', [...nfs, volume(claimed('on-nfs'))], [...nfs, volume(claimed('other'))]),
  row('volume-on-nfs', [...nfs, volume(claimed('by-class'))], [...nfs, volume({ emptyDir: {} })]),
  row(
    'volume-on-nfs',
    [...nfs, volume({ ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'nfs' } } } })],
    [...nfs, volume({ ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'smb' } } } })],
  ),
  row('volume-on-nfs', [...nfs, statefulSet('nfs')], [...nfs, statefulSet('smb')]),
  row(
    'volume-on-nfs',
    [
      volumeOf('one', { ...onNfs, claimRef: { name: 'a', namespace: 'default' } }),
      claim('a', {}),
      volume(claimed('a')),
    ],
    [
      volumeOf('one', { ...onNfs, claimRef: { name: 'a', namespace: 'other' } }),
      claim('a', {}),
      volume(claimed('a')),
    ],
  ),
  row(
    'volume-on-nfs',
    [...manual, volume(claimed('a'))],
    // The claim may get the other one.
    [
      ...manual,
      volumeOf('two', { csi: { driver: 'smb.csi.k8s.io' }, storageClassName: 'manual' }),
      volume(claimed('a')),
    ],
  ),
  ...[
    'k8s-sigs.io/nfs-subdir-external-provisioner',
    'cluster.local/nfs-subdir-external-provisioner',
  ].map((provisioner) =>
    row(
      'volume-on-nfs',
      [classOf(provisioner), statefulSet('files')],
      [classOf('smb.csi.k8s.io'), statefulSet('files')],
    ),
  ),
  row(
    'secret-on-disk',
    volume({ secret: { secretName: 'a' } }),
    volume({ configMap: { name: 'a' } }),
  ),
  row(
    'secret-on-disk',
    volume({ projected: { sources: [{ secret: { name: 'a' } }] } }),
    volume({ projected: { sources: [{ configMap: { name: 'a' } }] } }),
  ),
  row(
    'file-mode',
    volume({ configMap: { defaultMode: 0o400 } }),
    volume({ configMap: { defaultMode: 420 } }),
  ),
  row(
    'file-mode',
    volume({ configMap: { items: [{ key: 'a', mode: 256 }] } }),
    volume({ emptyDir: {} }),
  ),
  row(
    'mount-propagation',
    mounts({ mountPropagation: 'Bidirectional' }),
    mounts({ mountPropagation: 'None' }),
  ),
  row('mount-propagation', mounts({ mountPropagation: 'HostToContainer' }), mounts({})),
  row(
    'recursive-read-only',
    mounts({ readOnly: true, recursiveReadOnly: 'Enabled' }),
    mounts({ readOnly: true, recursiveReadOnly: 'IfPossible' }),
  ),
  ...['BlockDevice', 'CharDevice'].map((type) =>
    row(
      'host-path-device',
      volume({ hostPath: { path: '/dev/sda', type } }),
      volume({ hostPath: { path: 'C:\\data', type: 'Directory' } }),
    ),
  ),
  row('image-volume', volume({ image: { reference: 'a.example/b:1' } }), volume({ emptyDir: {} })),
  row(
    'path-refused-by-kubelet',
    volume({ hostPath: { path: 'C:\\a\\..\\b' } }),
    volume({ hostPath: { path: 'C:\\a\\..b' } }),
  ),
  ...['..\\a', 'a/..\\b', '\\a', 'C:\\a', 'c:/a'].map((subPath) =>
    row('path-refused-by-kubelet', mounts({ subPath }), mounts({ subPath: 'a\\..b' })),
  ),
  row(
    'path-refused-by-kubelet',
    mounts({ subPathExpr: '$(POD_NAME)\\..\\a' }),
    mounts({ subPathExpr: '$(POD_NAME)\\a' }),
  ),
  row('mount-at-root', mounts({ mountPath: 'C:\\' }), mounts({ mountPath: 'D:' })),
  row('mount-at-root', mounts({ mountPath: '/' }), mounts({ mountPath: '/data/' })),
  row(
    'mounts-differ-in-case',
    mounts({ mountPath: 'C:\\Data' }, { mountPath: 'c:/data/' }),
    mounts({ mountPath: 'C:\\Data' }, { mountPath: 'D:\\data' }),
  ),
  // The API server rejects two that are equal.
  row(
    'mounts-differ-in-case',
    mounts({ mountPath: '\\data' }, { mountPath: 'C:\\data' }),
    mounts({ mountPath: 'C:\\data' }, { mountPath: 'C:\\data' }),
  ),
  row(
    'resolv-conf-mounted',
    mounts({ mountPath: '/etc/resolv.conf' }),
    mounts({ mountPath: 'C:\\resolv.conf.d' }),
  ),
  row(
    'session-affinity-needs-newer-windows',
    service({ sessionAffinity: 'ClientIP' }),
    service({ sessionAffinity: 'None' }),
    { node: nodeOf('ws2019-flannel-overlay') },
  ),
  row(
    'session-affinity-timeout',
    service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }),
    service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }),
  ),
  row(
    'service-sctp',
    service({ ports: [{ port: 80 }, { port: 81, protocol: 'SCTP' }] }),
    service({ ports: [{ port: 80 }, { port: 81, protocol: 'UDP' }] }),
  ),
  row(
    'service-ipv6-only',
    service({ ipFamilies: ['IPv6'] }),
    service({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'PreferDualStack' }),
  ),
  row(
    'service-ipv6-only',
    service({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' }),
    service({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'RequireDualStack' }),
  ),
  row(
    'dual-stack-service-on-overlay',
    service({ ipFamilyPolicy: 'RequireDualStack' }),
    service({ ipFamilyPolicy: 'SingleStack' }),
    { node: overlay },
  ),
  row(
    'local-traffic-without-dsr',
    service({ externalTrafficPolicy: 'Local' }),
    service({ externalTrafficPolicy: 'Cluster' }),
    { node: nodeOf('ws2022-flannel-overlay', { network: { dsr: false } }) },
  ),
  row('local-traffic-without-dsr', service({ externalTrafficPolicy: 'Local' }), service({})),
  row('node-port-of-own-node', service({ type: 'NodePort' }), service({ type: 'ClusterIP' })),
  row(
    'node-port-of-own-node',
    service({ type: 'LoadBalancer' }),
    service({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
  ),
  row(
    'node-port-of-own-node',
    [service({ type: 'NodePort' }), pod()],
    [service({ type: 'NodePort' }), linux],
  ),
  row(
    'node-port-of-own-node',
    [service({ type: 'NodePort' }), pod()],
    [service({ type: 'NodePort' }), { ...linux, metadata: { ...labelled, namespace: 'default' } }],
  ),
  row(
    'node-port-of-own-node',
    [service({ type: 'NodePort' }), pod(), linux],
    [service({ type: 'NodePort' }), pod({}, { ...labelled, namespace: 'other' }), linux],
  ),
  row(
    'another-node-selected',
    pod({ nodeSelector: { [buildLabel]: '10.0.17763' } }),
    pod({ nodeSelector: { [buildLabel]: '10.0.20348', 'example.com/pool': 'a' } }),
    { node: overlay },
  ),
  row(
    'taint-not-tolerated',
    pod({ tolerations: [] }),
    pod({ tolerations: [{ operator: 'Exists' }] }),
    {
      node: overlay,
    },
  ),
  row(
    'taint-not-tolerated',
    pod({ tolerations: [{ key: 'os', value: 'windows', effect: 'NoExecute' }] }),
    pod({ tolerations: [], runtimeClassName: 'windows-2022' }),
    { node: overlay },
  ),
  row(
    'runtime-class-unknown',
    pod({ runtimeClassName: 'windows-2019' }),
    [pod({ runtimeClassName: 'windows-2019' }), runtimeClass('windows-2019', '10.0.17763')],
    { node: overlay },
  ),
  row(
    'build-not-selected',
    pod({ nodeSelector: { 'kubernetes.io/os': 'windows' } }),
    pod({ nodeSelector: {}, runtimeClassName: 'windows-2022' }),
    { node: overlay },
  ),
  row('image-without-windows', image('example.com/web:1'), image('example.com/web:2'), {
    platforms: new Map([['example.com/web:1', { windows: [], otherSystems: ['linux'] }]]),
  }),
  row(
    'containers-of-two-systems',
    pod({ containers: [container, { ...container, image: 'example.com/web:1' }] }),
    image('example.com/web:1'),
    { platforms: new Map([['example.com/web:1', { windows: [], otherSystems: ['linux'] }]]) },
  ),
  row('image-build-mismatch', image('mcr.microsoft.com/windows/nanoserver:1809'), pod()),
  row(
    'image-build-mismatch',
    pod({ nodeSelector: { 'kubernetes.io/os': 'windows' } }),
    pod({ nodeSelector: { [buildLabel]: '10.0.20348' } }),
    { node: nodeOf('ws2019-flannel-overlay') },
  ),
  row(
    'image-build-mismatch',
    pod({ runtimeClassName: 'windows-2025', nodeSelector: {}, containers: [old] }),
    pod({ runtimeClassName: 'windows-2025-hyperv', nodeSelector: {}, containers: [old] }),
    { node: nodeOf('ws2025-flannel-overlay', { isolation: { hyperV: true } }) },
  ),
  // Of two builds, the node of the profile has one.
  row('image-build-mismatch', terms([eitherBuild], { containers: [old] }), terms([eitherBuild]), {
    node: overlay,
  }),
  row('image-build-mismatch', image('example.com/web:1'), image('example.com/web:2'), {
    platforms: new Map([
      ['example.com/web:1', { windows: [{ build: 17_763 }, { build: 26_100 }], otherSystems: [] }],
      ['example.com/web:2', { windows: [{ build: undefined }], otherSystems: ['linux'] }],
    ]),
  }),
  row(
    'host-process-image-mismatch',
    pod({ ...hostProcess, containers: [old] }),
    pod({ ...hostProcess, containers: [{ ...container, image: hostProcessImage }] }),
  ),
  row(
    'host-process-image-mismatch',
    pod({ ...hostProcess, containers: [{ ...container, image: 'example.com/web:1' }] }),
    pod({ ...hostProcess, containers: [{ ...container, image: 'example.com/web:2' }] }),
    {
      platforms: new Map([
        ['example.com/web:1', { windows: [{ build: 17_763 }], otherSystems: [] }],
        ['example.com/web:2', { windows: [{ build: undefined }], otherSystems: [] }],
      ]),
    },
  ),
  row('image-build-unknown', image('example.com/web:1.2'), image('example.com/web:1.2-ltsc2022')),
  row(
    'image-build-mismatch',
    image('example.com/web:2022-windowsservercore-ltsc2019'),
    image('mcr.microsoft.com/dotnet/framework/buildtools:2019-windowsservercore-ltsc2022'),
  ),
  ...['mcr.microsoft.com/windows/servercore', 'example.com/web:1-nanoserver'].map((name) =>
    row('image-build-unknown', image(`${name}@sha256:${'a'.repeat(64)}`), pod()),
  ),
  row('image-build-unknown', image('example.com/web:2019-nanoserver-20H2'), pod()),
  row('image-build-unknown', image('example.com/web:1'), image('example.com/web:2'), {
    platforms: new Map([
      ['example.com/web:1', { windows: [{ build: undefined }], otherSystems: [] }],
      ['example.com/web:2', { windows: [{ build: 20_348 }], otherSystems: ['linux'] }],
    ]),
  }),
  row('image-build-unknown', image('example.com/web:2022'), image(hostProcessImage)),
  row('image-build-unknown', image('example.com/web:1809'), image('registry.k8s.io/pause:3.10')),
  row(
    'image-build-not-selected',
    pod({ nodeSelector: { 'kubernetes.io/os': 'windows' } }),
    pod({ nodeSelector: { [buildLabel]: '10.0.20348' } }),
  ),
  row('image-build-not-selected', anywhere('example.com/web:1'), anywhere('example.com/web:2'), {
    platforms: new Map([
      ['example.com/web:1', { windows: [{ build: 20_348 }], otherSystems: [] }],
      ['example.com/web:2', { windows: [{ build: 20_348 }, { build: 26_100 }], otherSystems: [] }],
    ]),
  }),
  row(
    'huge-pages',
    app({ resources: { limits: { ...limits, 'hugepages-2Mi': '4Mi' } } }),
    app({ resources: { limits } }),
  ),
  row('limits-missing', app({ resources: { limits: { cpu: 1 } } }), app({ resources: { limits } })),
  row('limits-missing', app({ resources: null }), pod()),
  row(
    'requests-below-limits',
    app({ resources: { limits, requests: { cpu: '999m' } } }),
    app({ resources: { limits, requests: { cpu: '1000m', memory: '1024Mi' } } }),
  ),
  row(
    'requests-below-limits',
    app({ resources: { limits: { cpu: 2, memory: '1Gi' }, requests: { cpu: 1 } } }),
    app({ resources: { limits: { cpu: 1, memory: '1Gi' }, requests: { cpu: '1' } } }),
  ),
  row(
    'resource-claims',
    pod({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }),
    pod({ resourceClaims: [] }),
  ),
  row('linux-program', app({ command: ['/bin/sh', '-c', 'a'] }), app({ command: ['cmd', '/c'] })),
  row(
    'linux-program',
    app({ lifecycle: { preStop: { exec: { command: ['/usr/local/bin/stop'] } } } }),
    app({ lifecycle: { preStop: { exec: { command: ['C:\\bin\\stop.exe'] } } } }),
  ),
  row(
    'linux-program',
    app({ readinessProbe: { exec: { command: ['bash', '-c', 'a'] } } }),
    app({ readinessProbe: { exec: { command: ['/app/bin/bash', 'sh'] } } }),
  ),
  row(
    'linux-program',
    pod({ initContainers: [{ ...container, command: ['sh', '-c', 'a'] }] }),
    app({
      image: 'registry.k8s.io/e2e-test-images/busybox:1.36.1-1',
      command: ['/bin/sh', '-c', 'a'],
    }),
  ),
  row(
    'linux-program',
    app({ lifecycle: { preStop: { exec: { command: ['sleep', '10'] } } } }),
    app({ lifecycle: { preStop: { sleep: { seconds: 10 } } }, command: ['timeout', '/t', '5'] }),
  ),
  row(
    'arguments-in-program',
    app({ readinessProbe: { exec: { command: ['powershell -command Get-Date'] } } }),
    app({ command: ['C:\\Program Files\\a\\a.exe'], args: ['cmd /c dir'] }),
  ),
  row(
    'arguments-in-program',
    app({ command: ['CMD.exe /c dir'] }),
    pod({ ...hostProcess, containers: [{ ...container, command: ['cmd /c dir'] }] }),
  ),
  ...['cmd.exe /c dir', 'Program Files\\PowerShell\\7\\pwsh.exe -File a.ps1'].map((command) =>
    row(
      'arguments-in-program',
      app({ command: [`C:\\${command}`] }),
      app({ command: ['C:\\cmd tools\\a.exe'] }),
    ),
  ),
  // They go to a program of the image.
  row('linux-program', app({ command: ['/sbin/init'] }), app({ args: ['/bin/sh', '-c'] })),
  row(
    'linux-program',
    app({ command: ['/usr/local/bin/app'] }),
    app({ command: ['/usr/local/bin/app.exe'] }),
  ),
  row(
    'linux-program',
    app({ command: ['echo', 'a'] }),
    pod({ ...hostProcess, containers: [{ ...container, command: ['echo', 'a'] }] }),
  ),
  row(
    'powershell-in-nano-server',
    app({ command: ['PowerShell.exe', '-Command', 'a'] }),
    pod({ ...hostProcess, containers: [{ ...container, command: ['powershell'] }] }),
  ),
  row(
    'powershell-in-nano-server',
    app({ livenessProbe: { exec: { command: ['pwsh', '-Command', 'a'] } } }),
    app({ image: 'mcr.microsoft.com/powershell:lts-nanoserver-1809', command: ['pwsh'] }),
  ),
  row('stop-signal', app({ lifecycle: { stopSignal: 'SIGTERM' } }), app({ lifecycle: {} })),
  row(
    'dns-policy-with-host-net',
    pod({ dnsPolicy: 'ClusterFirstWithHostNet' }),
    pod({ ...hostProcess, dnsPolicy: 'ClusterFirstWithHostNet' }),
  ),
  row(
    'dns-policy-with-host-net',
    pod({ dnsPolicy: 'ClusterFirstWithHostNet' }),
    pod({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }),
  ),
  row('dns-policy-default', pod({ dnsPolicy: 'Default' }), pod({ dnsPolicy: 'ClusterFirst' }), {
    node: overlay,
  }),
  row(
    'dns-policy-default',
    pod({ dnsPolicy: 'Default' }),
    [
      pod({ dnsPolicy: 'Default', dnsConfig: { nameservers: ['192.0.2.53'] } }),
      pod({ ...hostProcess, dnsPolicy: 'Default' }, { name: 'other' }),
    ],
    { node: overlay },
  ),
  row(
    'dns-searches',
    pod({ dnsConfig: { searches: ['corp.example.com'] } }),
    pod({ dnsConfig: { searches: [], options: [{ name: 'ndots', value: '2' }] } }),
  ),
  row(
    'ping-outside',
    app({ command: ['cmd', '/c', 'ping -t example.com'] }),
    app({ command: ['cmd', '/c', 'shipping --all'], args: ['ping'] }),
  ),
  row(
    'ping-outside',
    app({ livenessProbe: { exec: { command: ['powershell', 'Test-Connection a'] } } }),
    app({ livenessProbe: { exec: { command: ['powershell', 'Test-NetConnection a'] } } }),
  ),
  row(
    'names-by-nslookup',
    app({ args: ['nslookup', 'web'] }),
    app({ args: ['Resolve-DNSName', 'web'] }),
  ),
  row(
    'host-aliases-of-host-process',
    pod({ ...hostProcess, hostAliases: [] }),
    pod({ hostAliases: [] }),
  ),
  row(
    'ping-outside',
    app({ command: ['ping', '-n', '5', '10.0.0.1'] }),
    app({ command: ['cmd', '/c', 'ping -n 5 127.0.0.1 > nul'] }),
  ),
  row(
    'image-build-mismatch',
    image('mcr.microsoft.com/powershell:lts-nanoserver-1809'),
    pod({ ...hostProcess, containers: [old] }),
  ),
  row('service-from-host-process', pod(hostProcess), pod()),
  row(
    'image-tag-moves',
    image('mcr.microsoft.com/windows/nanoserver'),
    image('mcr.microsoft.com/windows/nanoserver:ltsc2022'),
  ),
  row(
    'image-tag-moves',
    image('mcr.microsoft.com/windows'),
    image('mcr.microsoft.com/windows/servercore/iis'),
  ),
  row(
    'image-tag-moves',
    pod({ ...hostProcess, containers: [{ ...container, image: 'example.com/agent:latest' }] }),
    image('example.com/agent:latest'),
  ),
  row(
    'host-port-on-overlay',
    app({ ports: [{ containerPort: 80, hostPort: 80 }] }),
    app({ ports: [{ containerPort: 80 }] }),
    { node: overlay },
  ),
  row(
    'host-port-on-overlay',
    app({ ports: [{ containerPort: 80, hostPort: 80 }] }),
    pod({ ...hostProcess, containers: [{ ...container, ports: [{ hostPort: 80 }] }] }),
    { node: overlay },
  ),
]
