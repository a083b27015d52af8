// Compares the flags of a service's command line with tables of what each program accepts.
import { kubeProxyFlags } from '../../src/matrix/kube-proxy-flags.ts'
import { kubeletFlags } from '../../src/matrix/kubelet-flags.ts'
import { inRange } from '../../src/matrix/version.ts'
import type { CommandFlag } from '../../src/model/config-rows.ts'
import type { Argument } from '../../src/model/step.ts'
import type { Versions } from './judge.ts'

interface Program {
  readonly flags: Readonly<Record<string, CommandFlag>>
  readonly version: (versions: Versions) => string
}

/** By the file name of the program, without `.exe`. */
const programs: Readonly<Record<string, Program>> = {
  kubelet: { flags: kubeletFlags, version: ({ kubelet }) => kubelet },
  'kube-proxy': { flags: kubeProxyFlags, version: ({ kubeProxy }) => kubeProxy },
  // https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/component-base/logs/kube-log-runner
  'kube-log-runner': {
    flags: {
      'log-file': {},
      'also-stdout': {},
      'redirect-stderr': {},
      'log-file-size': { added: '1.34' },
      'log-file-age': { added: '1.34' },
    },
    version: ({ kubelet }) => kubelet,
  },
  // https://github.com/containerd/containerd/blob/main/cmd/containerd/command/service_windows.go
  containerd: {
    flags: { config: {}, 'log-file': {}, 'log-level': {}, 'run-service': {}, 'service-name': {} },
    version: ({ containerd }) => containerd,
  },
  // https://github.com/flannel-io/flannel/blob/master/Documentation/configuration.md
  flanneld: {
    flags: {
      'kube-subnet-mgr': {},
      'kubeconfig-file': {},
      iface: {},
      'net-config-path': {},
      'subnet-file': {},
      'iptables-forward-rules': {},
    },
    version: () => '0.0.0',
  },
}

/** A program's path, its flags, and, under a log runner, the next program's. */
export function judgeCommand(command: readonly Argument[], versions: Versions): string[] {
  const faults: string[] = []
  let name = ''
  for (const { text } of command) {
    const started = /\\([\w-]+)\.exe$/.exec(text)?.[1]
    if (started !== undefined) name = started
    const flag = /^--?([a-z][\w-]*)/.exec(text)?.[1]
    if (flag !== undefined) faults.push(...judgeFlag(name, flag, versions))
  }
  return faults
}

function judgeFlag(name: string, flag: string, versions: Versions): string[] {
  const program = programs[name]
  if (!program) return [`${name} is no program that we know`]
  const row = Object.hasOwn(program.flags, flag) ? program.flags[flag] : undefined
  const version = program.version(versions)
  const said = `${name} ${version}: --${flag}`
  if (!row) return [`${said} does not exist`]
  if (row.added !== undefined && inRange(version, `<${row.added}`))
    return [`${said} came with ${row.added}`]
  if (row.removed !== undefined && inRange(version, `>=${row.removed}`))
    return [`${said} went with ${row.removed}`]
  const old =
    typeof row.deprecated === 'string' ? inRange(version, `>=${row.deprecated}`) : row.deprecated
  return old ? [`${said} is deprecated`] : []
}
