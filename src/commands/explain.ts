// winnode explain: what a name means, since and until when, and why winnode sets it so.
import * as Flags from '@oclif/core/flags'
import { kubernetesMinors } from '../matrix/kubernetes.ts'
import { newestKubernetes } from '../matrix/newest.ts'
import { explanationText } from '../present/explanation.ts'
import { didYouMean } from '../text/nearest.ts'
import { BaseCommand } from './base.ts'
import { examples } from './examples.ts'
import { scopeOf } from './explain/scope.ts'
import { isNearProgramFlag, isProgramFlag } from './explain/program-flags.ts'
import { explanationsOf, suggestionFor } from './explain/topics.ts'
import { Failure } from './failure.ts'
import { argument } from './flags.ts'
import { factsFlag } from './profile-flags.ts'

export default class Explain extends BaseCommand {
  static override summary =
    'Explain a finding, field, feature gate, flag, step, check, exit code or line of a log.'
  static override examples = examples({
    'Explain a finding': 'explain windows-release-unsupported',
    'Explain a field of a profile': 'explain kubelet.maxPods',
    'Explain a field of the kubelet in a version': 'explain failSwapOn --kubernetes 1.33',
    'Explain a flag of the kubelet and kube-proxy': 'explain hostname-override',
    'Explain an exit code': 'explain 6',
    'Explain an advisory': 'explain CVE-2023-3676',
    'Explain a line of a log': "explain 'CreateProcess: The system cannot find the file specified'",
    'List the names for a word': 'explain cni',
  })
  static override args = {
    subject: argument({
      required: true,
      description: 'Name of a finding, field, flag or exit code, a word, or a line of a log.',
    }),
  }
  static override flags = {
    kubernetes: Flags.option({
      options: kubernetesMinors.map(({ minor }) => minor),
      summary: 'Kubernetes minor; default: the newest supported one.',
    })(),
    facts: factsFlag,
  }

  async run(): Promise<object> {
    const own = [...Object.keys({ ...Explain.flags, ...Explain.baseFlags }), 'json', 'help']
    const { args, flags } = await this.parse(
      Explain,
      // A flag of another program is a name here.
      this.argv.map((word) =>
        isProgramFlag(word) || isNearProgramFlag(word, own) ? word.replace(/^-+/, '') : word,
      ),
    )
    const { subject } = args
    const scope = scopeOf(
      flags.kubernetes ?? newestKubernetes().minor,
      this.config.root,
      flags.facts,
    )
    const found = explanationsOf(subject, scope)
    if (found.length === 0) {
      throw new Failure('usage', `unknown name: ${subject}`, [
        ...didYouMean(suggestionFor(subject, scope)),
        'see: winnode explain --help',
      ])
    }
    const screen = this.screen('stdout')
    this.print(found.map((one) => explanationText(one, screen)).join('\n'))
    return { explanations: found }
  }
}
