// The flags that name a cluster, with what a command does with it.
import * as Flags from '@oclif/core/flags'

/** `use` starts the summaries, such as "Test the cluster". */
export function kubeconfigFlags(use: string) {
  return {
    kubeconfig: Flags.string({
      helpValue: 'FILE',
      summary: `${use} of this kubeconfig.`,
      helpGroup: 'CLUSTER',
    }),
    context: Flags.string({
      helpValue: 'CONTEXT',
      summary: `${use} of this kubeconfig context.`,
      helpGroup: 'CLUSTER',
    }),
    yes: Flags.boolean({
      char: 'y',
      summary: 'Allow the credential plugin of the kubeconfig to run.',
      helpGroup: 'CLUSTER',
    }),
  }
}

/** `use` is what a command does with the nodes: `Read`. */
export const selectorFlag = (use: string) =>
  Flags.string({
    char: 'l',
    helpValue: 'LABELS',
    summary: `${use} only Windows nodes with these labels.`,
    helpGroup: 'CLUSTER',
  })
