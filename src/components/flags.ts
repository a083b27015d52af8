// What each flag and variable of every service is for.
import { everyCni } from '../cni/index.ts'
import { reasonsFor } from '../matrix/reasons.ts'
import type { Settings } from '../model/setting.ts'

/** kubelet and kube-proxy have no flags for log files since 1.26, and a service has no console. */
const logRunnerFlags = reasonsFor('kube-log-runner flags')

const crashVariables = reasonsFor('variables of a crash')

const services: Readonly<Record<string, Settings>> = {
  containerd: { ...crashVariables, ...reasonsFor('containerd flags') },
  kubelet: { ...crashVariables, ...logRunnerFlags, ...reasonsFor('kubelet flags') },
  'kube-proxy': { ...crashVariables, ...logRunnerFlags, ...reasonsFor('kube-proxy flags') },
  ...Object.fromEntries(everyCni.flatMap(({ flags = {} }) => Object.entries(flags))),
}

/** Flags and variables of a service. */
export function flagsOf(service: string): Settings | undefined {
  return services[service]
}
