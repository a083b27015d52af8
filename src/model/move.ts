// Move: other versions for a profile, and what a rule would move to be content.

/** What the versions of a profile are set to; what is absent stays. */
export interface Move {
  readonly kubernetes?: {
    readonly apiServer?: string
    readonly kubeadm?: string
    readonly version?: string
    readonly kubeProxy?: string
  }
  readonly containerd?: { readonly version: string }
  readonly sandboxImage?: string
}

export type Movable =
  'kubelet' | 'kube-apiserver' | 'kube-proxy' | 'kubeadm' | 'containerd' | 'sandboxImage'
