// The programs that take settings of a profile as they are.
import type { ConfigTable } from './config-table.ts'
import { kubelet } from './kubelet.ts'
import { kubeProxy } from './kube-proxy.ts'

export const configTables: readonly ConfigTable[] = [kubelet, kubeProxy]
