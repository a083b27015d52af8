// The command line of a service: a program's path, its flags, and, under a log runner, the next program's.
import type { NodeFact } from '../../src/model/node-fact.ts'
import type { Argument } from '../../src/model/step.ts'
import { judgeCommandLine } from './command-line.ts'
import { refused, type Finding } from './finding.ts'
import { flanneldFlags, judgeGoFlags } from './flannel/flanneld.ts'
import type { Versions } from './judge.ts'
import { judgeKubelet } from './kubelet/kubelet.ts'
import { kubeProxyFlags, logRunnerFlags } from './tables.ts'

/** What a node might answer. */
const samples: Readonly<Record<NodeFact, string>> = {
  nodeName: 'win-1',
  nodeIP: '192.0.2.10',
  adapter: 'Ethernet',
  podSubnet: '10.244.3.0/24',
  sourceVip: '10.244.3.2',
  providerID: 'aws:///eu-west-1a/i-0123456789abcdef0',
}

type JudgeFlags = (words: readonly string[], versions: Versions) => readonly Finding[]

/** By the file name of the program, without `.exe`. */
const programs: Readonly<Record<string, JudgeFlags>> = {
  kubelet: (flags, { kubelet }) => judgeKubelet({ flags }, kubelet),
  'kube-proxy': (flags, { kubeProxy }) =>
    judgeCommandLine(flags, kubeProxyFlags, kubeProxy).findings,
  // https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/component-base/logs/kube-log-runner
  'kube-log-runner': (flags, { kubelet }) => {
    const types = [...logRunnerFlags(kubelet)].map(
      ([flag, { type }]) =>
        [flag, type === 'bool' || type === 'duration' ? type : 'string'] as const,
    )
    return judgeGoFlags(flags, Object.fromEntries(types)).findings
  },
  // https://github.com/containerd/containerd/blob/main/cmd/containerd/command/service_windows.go
  containerd: (flags) =>
    judgeGoFlags(flags, {
      config: 'string',
      'log-file': 'string',
      'log-level': 'string',
      'run-service': 'bool',
      'service-name': 'string',
    }).findings,
  flanneld: (flags) => judgeGoFlags(flags, flanneldFlags).findings,
}

export function judgeCommand(command: readonly Argument[], versions: Versions): readonly string[] {
  const words = command.map(({ text, fact }) => text + (fact === undefined ? '' : samples[fact]))
  const starts = words.flatMap((word, at) => (/^[^-].*\\[\w-]+\.exe$/.test(word) ? [at] : []))
  return starts.flatMap((start, at) => {
    const name = /([\w-]+)\.exe$/.exec(words[start] ?? '')?.[1] ?? ''
    const flags = words.slice(start + 1, starts[at + 1])
    const findings = programs[name]?.(flags, versions) ?? [refused('is no program that we know')]
    // Warned of up to 1.28, and without another way to say it: 1.29 took the warning back.
    return findings
      .filter(({ message }) => !message.startsWith('Flag --cloud-provider has been deprecated'))
      .map(({ verdict, message }) => `${name}: ${verdict}: ${message}`)
  })
}
