// For each rule of workloads: objects where it fires, and objects where it is silent.
import type { JsonObject } from '../../src/model/json.ts'
import type { Context } from '../../src/workloads/lint.ts'
import { app, container, hostProcess, linux, nodeOf, pod, service } from './objects.ts'

type Objects = JsonObject | readonly JsonObject[]

export interface Row {
  readonly id: string
  readonly fires: Objects
  readonly silent: Objects
  readonly with?: Context
}

const row = (id: string, fires: Objects, silent: Objects, context: Context = {}): Row => ({
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
const user = (runAsUserName: string) => options({ runAsUserName })
const gmsa = { securityContext: { windowsOptions: { gmsaCredentialSpecName: 'web' } } }
const volume = (source: JsonObject) => pod({ volumes: [{ name: 'v', ...source }] })
const mounts = (...some: readonly JsonObject[]) =>
  app({ volumeMounts: some.map((one) => ({ name: 'v', mountPath: 'C:\\data', ...one })) })
const namespace = (level: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'tools', labels: { 'pod-security.kubernetes.io/enforce': level } },
})

export const rows: readonly Row[] = [
  row('os-name-unknown', pod({ os: { name: 'Windows' } }), pod({ os: null })),
  row('os-name-unknown', pod({ os: {} }), pod()),
  row('os-name-missing', pod({ os: null }), pod()),
  row(
    'windows-options-on-linux',
    pod({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }),
    pod({ securityContext: { windowsOptions: {} } }),
  ),
  row('os-not-selected', pod({ nodeSelector: {} }), pod()),
  row('os-not-selected', pod({ nodeSelector: {} }), pod({ nodeSelector: {}, nodeName: 'win-1' })),
  row(
    'os-contradicts-selector',
    pod({ nodeSelector: { 'kubernetes.io/os': 'linux' } }),
    pod({ nodeSelector: {} }),
  ),
  row('linux-privilege-escalation', sc({ allowPrivilegeEscalation: false }), sc({})),
  row('linux-capabilities', sc({ capabilities: {} }), sc({ capabilities: null })),
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
  row('host-network-without-host-process', pod({ hostNetwork: true }), pod(hostProcess)),
  row(
    'host-process-in-restricted-namespace',
    [pod(hostProcess, { namespace: 'tools' }), namespace('baseline')],
    [pod(hostProcess, { namespace: 'tools' }), namespace('privileged')],
  ),
  row('run-as-user-name-malformed', user('a@b'), user('CORP\\web$')),
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
    'block-device',
    app({ volumeDevices: [{ name: 'v', devicePath: 'E:' }] }),
    app({ volumeDevices: [] }),
  ),
  row('volume-in-memory', volume({ emptyDir: { medium: 'Memory' } }), volume({ emptyDir: {} })),
  row('volume-on-nfs', volume({ nfs: { server: 'a', path: '/b' } }), volume({ csi: {} })),
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
  row('sub-path', mounts({ subPath: 'a' }), mounts({ subPath: '' })),
  row('sub-path', mounts({ subPathExpr: '$(POD_NAME)' }), mounts({})),
  row('mount-at-root', mounts({ mountPath: 'C:\\' }), mounts({ mountPath: 'D:' })),
  row('mount-at-root', mounts({ mountPath: '/' }), mounts({ mountPath: '/data/' })),
  row(
    'mounts-differ-in-case',
    mounts({ mountPath: 'C:\\Data' }, { mountPath: 'c:/data/' }),
    mounts({ mountPath: 'C:\\Data' }, { mountPath: 'D:\\data' }),
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
    'service-ipv6-only',
    service({ ipFamilies: ['IPv6'] }),
    service({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'PreferDualStack' }),
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
]
