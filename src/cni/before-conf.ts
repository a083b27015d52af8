// What is ready before a node gets its CNI conf: with it, the Node becomes Ready, and pods are scheduled.
import type { NodeSpec } from '../model/spec.ts'

/** For a plugin whose kube-proxy can be a service; pods of kube-proxy start only after the join, so no step waits for them. */
export function beforeConf({ kubeProxy }: NodeSpec, network: readonly string[]): readonly string[] {
  return kubeProxy.runsAs === 'hostProcess' ? network : ['running-kube-proxy']
}
