// Why each flag of kube-log-runner stands before the program that it runs.
import { explain } from '../../model/setting.ts'

/** kubelet and kube-proxy have no flags for log files since 1.26, and a service has no console. */
export const logRunnerFlags = explain(
  'https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/component-base/logs/kube-log-runner',
  {
    '-log-file': 'Where the output of the program goes.',
    '-log-file-size': 'A new file begins at this size; from Kubernetes 1.34 on.',
    '-log-file-age': 'Older files are removed; from Kubernetes 1.34 on.',
  },
)
