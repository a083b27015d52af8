// Versions to set in a profile, and the components for which a rule can suggest another version.

/** The version fields to set; absent fields keep their value. */
export interface Upgrade {
  readonly kubernetes?: {
    readonly apiServer?: string
    readonly kubeadm?: string
    readonly version?: string
    readonly kubeProxy?: string
  }
  readonly containerd?: { readonly version: string }
  readonly sandboxImage?: string
}

export type Upgradable = 'kubelet' | 'kube-proxy' | 'kubeadm' | 'containerd' | 'sandboxImage'
