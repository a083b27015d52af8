// Where Kubernetes components wrote their logs until 1.26; since then somebody else redirects them.
// https://github.com/kubernetes/kubernetes/pull/112120
import type { CommandFlag } from '../model/config-rows.ts'

export const klogFileFlags: Readonly<Record<string, CommandFlag>> = {
  'add-dir-header': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  alsologtostderr: { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'log-backtrace-at': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'log-dir': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'log-file': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'log-file-max-size': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  logtostderr: { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'one-output': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'skip-headers': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  'skip-log-headers': { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
  stderrthreshold: { deprecated: true, removed: '1.26', instead: 'use kube-log-runner' },
}
