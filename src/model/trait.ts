// Trait: a behaviour of a component that changed in some version; what the code may ask for.
import type { Ranged, Sourced } from './rows.ts'

export interface Trait extends Sourced, Ranged {
  readonly of: 'kubelet' | 'kube-proxy' | 'kubeadm' | 'containerd'
  readonly summary: string
}

/** Each has its row in `matrix/traits`, and somebody who asks for it. */
export type TraitId =
  | 'kubelet-endpoint-in-config'
  | 'kubelet-resolv-conf-host'
  | 'kubelet-config-dir'
  | 'kubelet-drop-ins-merge'
  | 'kubelet-protects-container-logs'
  | 'kubelet-protects-pod-logs'
  | 'kubelet-credential-provider-v1'
  | 'kubelet-credential-provider-exe'
  | 'kubelet-cgroups-error'
  | 'kubelet-memory-eviction'
  | 'kubelet-graceful-shutdown'
  | 'kubelet-graceful-shutdown-default'
  | 'kubelet-unlimited-events'
  | 'log-runner-rotates'
  | 'kubelet-host-process'
  | 'kubelet-all-processor-groups'
  | 'kubelet-log-query-exploitable'
  | 'proxy-blank-mode-kernelspace'
  | 'proxy-dsr-needs-gate'
  | 'proxy-gates-locked'
  | 'kubeadm-v1beta4'
  | 'kubeadm-reads-healthz-port'
  | 'containerd-reads-ipv6-names'
  | 'containerd-cni-results-1'
  | 'containerd-registry-folder'
  | 'containerd-stable-abi'
  | 'containerd-newest-build-first'
  | 'containerd-handler-annotations'
  | 'containerd-config-v3'
  | 'containerd-bin-dirs'
  | 'containerd-cpu-affinity'
  | 'containerd-system-roots'
  | 'containerd-scrub-logs'
  | 'containerd-imports-antrea'
