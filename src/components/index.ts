// The programs that take settings of a profile as they are.
import type { Component } from './component.ts'
import { kubelet } from './kubelet.ts'
import { kubeProxy } from './kube-proxy.ts'

export const components: readonly Component[] = [kubelet, kubeProxy]
