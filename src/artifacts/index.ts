// Every artifact that belongs to no network plugin, in the order of the docs.
import type { Artifact } from '../model/artifact.ts'
import {
  bootstrapPermissions,
  kubeProxyAccount,
  kubeProxyDaemonSet,
  runtimeClasses,
} from './cluster.ts'
import { credentialProviders } from './credential-providers.ts'
import { containerdConfig, crictlConfig, registryHosts } from './containerd.ts'
import { kubeProxyConfig, kubeProxyKubeconfig } from './kube-proxy.ts'
import { clusterCa, joinConfiguration } from './kubeadm.ts'
import { kubeletConfig } from './kubelet.ts'
import { nodeScripts } from './node-scripts.ts'
import { hostProcessPolicy, nodeSelectorPolicy } from './addons/policies.ts'
import { imagePull } from './addons/image-pull.ts'
import { fluentBit } from './addons/fluent-bit.ts'
import { smbCsi } from './addons/smb-csi.ts'
import { windowsExporter } from './addons/windows-exporter.ts'
import { csrApprover } from './addons/csr-approver.ts'
import { gmsa } from './addons/gmsa.ts'
import { driftCronJob } from './addons/drift.ts'

/** Artifacts of the fields of `cluster`. */
export const addOns: readonly Artifact[] = [
  nodeSelectorPolicy,
  hostProcessPolicy,
  imagePull,
  smbCsi,
  fluentBit,
  windowsExporter,
  csrApprover,
  gmsa,
  driftCronJob,
]

export const artifacts: readonly Artifact[] = [
  containerdConfig,
  crictlConfig,
  registryHosts,
  kubeletConfig,
  credentialProviders,
  joinConfiguration,
  clusterCa,
  kubeProxyConfig,
  kubeProxyKubeconfig,
  bootstrapPermissions,
  kubeProxyAccount,
  kubeProxyDaemonSet,
  runtimeClasses,
  ...addOns,
  nodeScripts,
]
