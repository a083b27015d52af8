// The kubelet's command line: settings that have no field in its configuration file.
import type { Facts } from '../model/facts.ts'
import { layout, pipe } from '../model/layout.ts'
import type { Argument } from '../model/step.ts'

export function kubeletArguments(facts: Facts): readonly Argument[] {
  const { spec } = facts
  const { kubelet, registry } = spec
  const labels = Object.entries(kubelet.labels).map(([key, value]) => `${key}=${value}`)
  const provider = registry.credentialProvider
  const providers = provider?.config ?? layout.credentialProviders
  return [
    { text: `--config=${layout.kubeletConfig}` },
    { text: `--bootstrap-kubeconfig=${layout.bootstrapKubeconfig}` },
    { text: `--kubeconfig=${layout.kubeletKubeconfig}` },
    { text: `--cert-dir=${layout.kubeletPki}` },
    { text: `--root-dir=${layout.kubeletRoot}` },
    { text: '--hostname-override=', fact: 'nodeName' },
    { text: '--node-ip=', fact: 'nodeIP' },
    ...argumentIf(labels.length > 0, `--node-labels=${labels.join(',')}`),
    ...argumentIf(
      !facts.has('kubelet-endpoint-in-config'),
      `--container-runtime-endpoint=${pipe.endpoint}`,
    ),
    ...argumentIf(kubelet.cloudProvider !== undefined, `--cloud-provider=${kubelet.cloudProvider}`),
    ...argumentIf(provider !== undefined, `--image-credential-provider-config=${providers}`),
    ...argumentIf(
      provider !== undefined,
      `--image-credential-provider-bin-dir=${provider?.binDirectory}`,
    ),
    ...argumentIf(kubelet.dropInDirectory !== undefined, `--config-dir=${kubelet.dropInDirectory}`),
    { text: '--windows-service' },
    { text: `--windows-priorityclass=${kubelet.priorityClass}` },
    { text: `--v=${kubelet.verbosity}` },
  ]
}

const argumentIf = (condition: boolean, text: string): readonly Argument[] =>
  condition ? [{ text }] : []
