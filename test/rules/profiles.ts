// Profiles in few words: what a row changes of the default.
import type { JsonObject } from '../../src/model/json.ts'

export const hash = `sha256:${'a'.repeat(64)}`

/** `[rule, a profile that breaks it, one that does not, the day]`; silent is the default profile. */
export type Row = readonly [id: string, fires: JsonObject, silent?: JsonObject, day?: string]

export const kubernetes = (version: string, more: JsonObject = {}) => ({
  kubernetes: { version, ...more },
})
export const containerd = (version: string, more: JsonObject = {}) => ({
  containerd: { version, ...more },
})
export const windows = (release: string, revision?: number) => ({ windows: { release, revision } })
export const network = (fields: JsonObject) => ({ network: fields })
export const config = (fields: JsonObject) => ({ kubelet: { config: fields } })
export const antrea = (fields: JsonObject = {}, more: JsonObject = {}) => ({
  network: { cni: 'antrea', mode: 'transparent', antrea: { ovsDriver: 'signed' }, ...fields },
  join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] },
  host: { features: ['Containers', 'Hyper-V', 'Hyper-V-PowerShell'] },
  ...more,
})
export const calico = (fields: JsonObject = {}, more: JsonObject = {}) => ({
  network: { cni: 'calico', mode: 'overlay', ...fields },
  kubernetes: { version: '1.35' },
  join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] },
  ...more,
})
export const flannelImage = `registry.example.com/flannel-windows:0.28.9@sha256:${'2b8fd975'.repeat(8)}`
export const flannelPods = (fields: JsonObject = {}, more: JsonObject = {}) => ({
  network: { flannel: { runsAs: 'hostProcess', image: flannelImage, ...fields } },
  kubernetes: { version: '1.36' },
  ...more,
})
export const calicoBgp = calico(
  { mode: 'l2bridge' },
  { host: { features: ['Containers', 'remoteaccess', 'RSAT-RemoteAccess-PowerShell', 'ROUTING'] } },
)
export const calicoRouted = (fields: JsonObject = {}) =>
  calico({ mode: 'l2bridge', backend: 'none', routes: 'fabric', ...fields })
export const eks = (fields: JsonObject = {}, more: JsonObject = {}) => ({
  network: { cni: 'eks', mode: 'l2bridge', eks: { clusterName: 'prod' }, ...fields },
  ...more,
})
export const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
export const bootstrap = (fields: JsonObject = {}) => ({
  join: { method: 'bootstrapKubeconfig', endpoint: 'api.example.com:6443', ca, ...fields },
})
export const provider = (fields: JsonObject) => ({
  registry: { credentialProvider: { binDirectory: 'C:\\k\\providers', ...fields } },
})
export const acr = { name: 'acr', matchImages: ['*.azurecr.io'] }
export const mirrors = (...urls: readonly string[]) => ({
  registry: { mirrors: { 'registry.k8s.io': urls.map((url) => ({ url })) } },
})
export const mirrored = (...registries: readonly string[]) => ({
  registry: {
    mirrors: Object.fromEntries(
      registries.map((name) => [name, [{ url: 'https://m.example.com' }]]),
    ),
  },
})
export const fileNamed = { kubelet: { nodeName: { file: 'C:\\cloud\\name' } } }
export const root = (path: string) => ({ containerd: { root: path } })
export const gate = (name: string, value: boolean) => ({
  kubelet: { featureGates: { [name]: value } },
})
export const proxyGate = (name: string, value: boolean) => ({
  kubeProxy: { featureGates: { [name]: value } },
})
