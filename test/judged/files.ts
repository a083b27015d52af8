// Every file of cases: how they become profiles, and which exceptions there are.
import type { JsonObject } from '../../src/model/json.ts'
import { expressCalico } from './calico.ts'
import { expressProviders } from './credential-providers.ts'
import { expressHosts } from './hosts.ts'
import { expressImage } from './images.ts'
import type { Express } from './case.ts'
import { expressKubelet } from './kubelet.ts'
import { expressKubeProxy } from './kube-proxy.ts'
import { expressObject } from './objects.ts'

export interface JudgedFile {
  readonly program: string
  readonly express: Express
  /** At least half of its cases must be profiles. */
  readonly half?: true
  readonly baseOf: (version: string) => JsonObject
  /** Cases in which winnode says otherwise, each with why. */
  readonly exceptions: Readonly<Record<string, string>>
}

/** A containerd that serves the kubelet of a minor. */
function runtimeOf(minor: string): string {
  const [, number = 0] = minor.split('.').map(Number)
  return number < 33 ? '1.7' : '2.3'
}

const byKubernetes = (version: string): JsonObject => {
  const minor = version.split('.').slice(0, 2).join('.')
  return { kubernetes: { version: minor }, containerd: { version: runtimeOf(minor) } }
}

const byContainerd = (version: string): JsonObject => ({
  kubernetes: { version: version.startsWith('1.6') ? '1.28' : '1.31' },
  containerd: { version },
})

const effectless =
  'the kubelet takes a taint without an effect, and the API server refuses its Node'

export const judgedFiles: Readonly<Record<string, JudgedFile>> = {
  'kubelet-config': {
    program: 'kubelet',
    express: expressKubelet,
    half: true,
    baseOf: byKubernetes,
    exceptions: { 'taint-no-effect': effectless },
  },
  'kube-proxy-config': {
    program: 'kube-proxy',
    express: expressKubeProxy,
    half: true,
    baseOf: byKubernetes,
    exceptions: {},
  },
  'image-references': {
    program: 'containerd',
    express: expressImage,
    half: true,
    baseOf: byContainerd,
    exceptions: {},
  },
  'containerd-hosts': {
    program: 'containerd',
    express: expressHosts,
    half: true,
    baseOf: byContainerd,
    exceptions: {
      'mirror-path-with-quote':
        'the case has the address in single quotes, and winnode writes double ones, which containerd 1.x does not read around a quote',
    },
  },
  'credential-provider-config': {
    program: 'kubelet',
    express: expressProviders,
    baseOf: byKubernetes,
    exceptions: {},
  },
  'calico-installation': {
    program: 'Calico’s operator',
    express: expressCalico,
    baseOf: () => ({
      kubernetes: { version: '1.35' },
      network: { cni: 'calico', mode: 'overlay' },
      join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
    }),
    exceptions: {},
  },
  'api-objects': {
    program: 'API server and kubelet',
    express: expressObject,
    half: true,
    baseOf: byKubernetes,
    exceptions: {
      'kubelet-taint-no-effect': effectless,
      'kubelet-taint-effect-empty': effectless,
    },
  },
}

/** Files of which no case is a profile. */
export const unexpressed: Readonly<
  Record<string, { readonly cases: number; readonly because: string }>
> = {
  'antrea-agent-conf': {
    cases: 134,
    because: 'winnode writes antrea-agent.conf, and test/artifacts/antrea.test.ts asks the cases',
  },
  'api-access': { cases: 620, because: 'it is about what credentials may ask of an API server' },
  'calico-conf': { cases: 104, because: 'Calico writes its CNI configuration itself' },
  'capi-documents': { cases: 167, because: 'documents of Cluster API are no part of a profile' },
  'cloudbase-init-userdata': {
    cases: 114,
    because: 'user data of machines is no part of a profile',
  },
  'cni-conf': { cases: 67, because: 'winnode writes the CNI configuration from a template' },
  'containerd-config': {
    cases: 80,
    because:
      'winnode writes config.toml from a template, and no text of a profile goes into it as it is',
  },
  crictl: { cases: 31, because: 'winnode writes crictl.yaml, and a profile says nothing of it' },
  flanneld: { cases: 39, because: 'winnode writes net-conf.json and the flags' },
  'host-local': { cases: 37, because: 'it is about requests and a store on the node' },
  'kube-log-runner': { cases: 34, because: 'winnode writes the command line' },
  'kube-proxy-flannel-access': {
    cases: 21,
    because: 'it is about what credentials may ask of an API server',
  },
  'kubeadm-join-config': {
    cases: 209,
    because: 'winnode writes join.json, and its fields have their own forms',
  },
  'kubeadm-join-course': { cases: 55, because: 'it is a course of events' },
  'kubelet-bootstrap-course': { cases: 38, because: 'it is a course of events' },
  'kubelet-flags': { cases: 127, because: 'winnode writes the flags' },
  'sdn-conf': { cases: 34, because: 'winnode installs no such plugin' },
  'vpc-bridge-conf': { cases: 35, because: 'EKS’s image writes the CNI configuration' },
  'packer-hcl-strings': { cases: 111, because: 'templates of Packer are no part of a profile' },
}
