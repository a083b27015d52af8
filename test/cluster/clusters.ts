// Clusters as programs make them: what their API servers hold.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { authority, type Behaviour } from './api-server.ts'
import { root } from '../tools/run.ts'

export const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Upstream {
  readonly objects: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
  readonly refusals: Readonly<
    Record<string, Readonly<Record<string, { code: number; message: string }>>>
  >
}
export const upstream = JSON.parse(
  readFileSync(path.join(root, 'test/upstream/objects/kubeadm-cluster.json'), 'utf8').replaceAll(
    '<certificate>',
    base64(authority.cert),
  ),
) as Upstream

export const systemConfigMap = (name: string) => `/api/v1/namespaces/kube-system/configmaps/${name}`
export const nodes = '/api/v1/nodes'
export const daemonSets = '/apis/apps/v1/daemonsets'
export const services = '/api/v1/namespaces/kube-system/services'
export const serviceCIDRs = '/apis/networking.k8s.io/v1/servicecidrs'
const controlPlane = '/api/v1/namespaces/kube-system/pods'

export const windowsTaint = { key: 'os', value: 'windows', effect: 'NoSchedule' }
/** In the namespace of the kubelet; the kubelet does not remove it. */
export const ownTaint = { key: 'node.kubernetes.io/os', value: 'windows', effect: 'NoSchedule' }

/** Of a node for a while, and no setting. */
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }

export function node(
  name: string,
  over: { os?: string; taints?: Json; memory?: string; share?: string },
): JsonObject {
  const {
    os = 'windows',
    taints = [windowsTaint],
    memory = '33554420Ki',
    share = '10.244.3.0/24',
  } = over
  return {
    metadata: { name, labels: { 'kubernetes.io/os': os } },
    spec: { podCIDR: share, podCIDRs: [share], taints },
    status: {
      capacity: { cpu: '8', memory, pods: '60', 'ephemeral-storage': '133676028Ki' },
      nodeInfo: {
        operatingSystem: os,
        kernelVersion: os === 'windows' ? '10.0.20348.2700' : '6.1.0',
      },
    },
  }
}

export function daemonSet(
  name: string,
  image: string,
  configMap: string,
  namespace = 'kube-system',
): JsonObject {
  return {
    metadata: { name, namespace },
    spec: {
      template: {
        spec: {
          containers: [{ name, image }],
          volumes: [
            { name: 'host', hostPath: { path: '/run' } },
            { name: 'conf', configMap: { name: configMap } },
          ],
        },
      },
    },
  }
}

export const flannelSet = daemonSet(
  'kube-flannel-ds',
  'mirror.example.com:5000/flannel-io/flannel:v0.28.9',
  'kube-flannel-cfg',
  'kube-flannel',
)

/** As kubeadm made it; nodes and DaemonSets as their own programs register them. */
export function kubeadmCluster(version: string): Behaviour {
  const {
    [`${services}/kube-dns`]: dns,
    [`${serviceCIDRs}/kubernetes`]: cidr,
    ...objects
  } = upstream.objects[version] ?? {}
  return {
    objects: {
      ...objects,
      [systemConfigMap('kube-root-ca.crt')]: { data: { 'ca.crt': authority.cert } },
      [systemConfigMap('coredns')]: { data: { Corefile: corefile } },
      [services]: dns ? [dns] : [],
      ...(cidr ? { [serviceCIDRs]: [cidr] } : {}),
      [daemonSets]: [flannelSet],
      [nodes]: [
        node('linux-1', { os: 'linux', taints: [], memory: '1Gi', share: '10.244.0.0/24' }),
        node('win-1', {
          taints: [windowsTaint, ownTaint, notReady],
        }),
        node('win-2', {
          memory: '16777208Ki',
          taints: [{ key: 'pool', effect: 'NoExecute' }, notReady, ownTaint, windowsTaint],
        }),
      ],
      [controlPlane]: [
        {
          metadata: {
            name: 'kube-apiserver-cp',
            labels: { tier: 'control-plane', component: 'kube-apiserver' },
          },
          spec: {
            containers: [
              {
                // kubeadm has all of them in the command.
                command: ['kube-apiserver', '--service-node-port-range=30000-31000'],
                args: ['--service-cluster-ip-range=10.96.0.0/12'],
              },
            ],
          },
        },
      ],
    },
  }
}

const corefile = `.:53 {
    errors
    # kubernetes comment.example.com {
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
    }
}
`

/** No kubeadm, no kube-proxy ConfigMap; the control plane is not to be seen. */
export const managed: Behaviour = {
  objects: {
    '/version': { gitVersion: 'v1.36.2-eks-113cf36' },
    [systemConfigMap('kube-root-ca.crt')]: { data: { 'ca.crt': authority.cert } },
    [systemConfigMap('coredns')]: {
      data: {
        Corefile: corefile.replace('cluster.local', 'ip6.arpa. in-addr.arpa k8s.example.com.'),
      },
    },
    [services]: [
      {
        metadata: { name: 'coredns', labels: { 'k8s-app': 'kube-dns' } },
        spec: { clusterIP: '172.20.0.10' },
      },
      { metadata: { name: 'metrics', labels: {} }, spec: { clusterIP: '172.20.0.11' } },
    ],
    [serviceCIDRs]: [
      { metadata: { name: 'extra' }, spec: { cidrs: ['172.21.0.0/16'] } },
      { metadata: { name: 'kubernetes' }, spec: { cidrs: ['172.20.0.0/16'] } },
    ],
    [daemonSets]: [daemonSet('aws-node', 'registry.example.com/amazon-k8s-cni:v1.20', 'x')],
    [nodes]: [node('ip-10-0-0-1', { os: 'linux', taints: [] })],
    [controlPlane]: [],
  },
}

export const empty: Behaviour = {
  objects: {
    '/version': { gitVersion: 'v1.37.1' },
    ...Object.fromEntries(
      [nodes, daemonSets, services, serviceCIDRs, controlPlane].map((list) => [list, []]),
    ),
  },
}
