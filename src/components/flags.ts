// What each flag and variable of every service is for.
import { everyCni } from '../cni/index.ts'
import { explain, type Settings } from '../model/setting.ts'
import { containerdFlags } from './containerd.ts'
import { kubeletFlags } from './kubelet.ts'
import { kubeProxyFlags } from './kube-proxy.ts'

/** kubelet and kube-proxy have no flags for log files since 1.26, and a service has no console. */
const logRunnerFlags = explain(
  'https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/component-base/logs/kube-log-runner',
  {
    '-log-file': 'Where the output of the program goes.',
    '-log-file-size': 'A new file begins at this size; from Kubernetes 1.34 on.',
    '-log-file-age': 'Older files are removed; from Kubernetes 1.34 on.',
  },
)

const services: Readonly<Record<string, Settings>> = {
  containerd: containerdFlags,
  kubelet: { ...logRunnerFlags, ...kubeletFlags },
  'kube-proxy': { ...logRunnerFlags, ...kubeProxyFlags },
  ...Object.fromEntries(everyCni.flatMap(({ flags }) => Object.entries(flags))),
}

/** Flags and variables of a service. */
export function flagsOf(service: string): Settings | undefined {
  return services[service]
}
