// Reads the settings of the target capi, and refuses profiles with which machines would not join.
import { valueAt } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { CapiVersion, Provider } from '../../model/target-settings.ts'
import type { Input, TargetResult } from '../target.ts'
import { bootstrapPaths } from './files.ts'
import { machineVersions, missingFields } from './machine-template.ts'

export interface CapiSettings {
  readonly kind: 'settings'
  readonly provider: Provider
  readonly cluster: string
  /** API version of the machine template. */
  readonly version: CapiVersion
}

type Refused = Extract<TargetResult, { readonly kind: 'refused' }>

/** A reason to refuse the profile, and how to change it. */
interface Problem {
  readonly message: string
  readonly hints: readonly string[]
}

/** The settings, or every reason to refuse the profile. */
export function capiSettings({ facts: { spec }, isSet }: Input): CapiSettings | Refused {
  const { provider, cluster, machine, machineVersion } = spec.targets.capi
  const found = conflicts.flatMap(({ holds, message, remedy, see }) =>
    when(holds(spec, isSet), message, remedy, `see ${see}`),
  )
  if (provider === undefined || cluster === undefined)
    return refused([
      ...when(
        true,
        'targets.capi names no provider, or no cluster',
        'set targets.capi.provider to azure, vsphere or aws, and targets.capi.cluster to the name of the Cluster',
      ),
      ...found,
    ])
  const missing = missingFields(provider, machine)
  const served = machineVersions(provider)
  const version = served.find((one) => machineVersion === undefined || one === machineVersion)
  const problems = [
    ...found,
    ...when(
      missing.length > 0,
      `targets.capi.machine lacks ${missing.join(' and ')}`,
      `there is no machine of the provider ${provider} without it; the image is the one that was built with this bundle`,
    ),
    ...when(
      version === undefined,
      `the provider ${provider} serves no machine template of ${machineVersion}`,
      `set targets.capi.machineVersion to ${served.join(' or ')}, or leave it away`,
    ),
  ]
  return version === undefined || problems.length > 0
    ? refused(problems)
    : { kind: 'settings', provider, cluster, version }
}

function when(holds: boolean, message: string, ...hints: readonly string[]): readonly Problem[] {
  return holds ? [{ message, hints }] : []
}

interface Conflict {
  readonly holds: (spec: NodeSpec, isSet: Input['isSet']) => boolean
  readonly message: string
  readonly remedy: string
  readonly see: string
}

/** Comments and line breaks of YAML in an unquoted path, and delimiters of Jinja. */
const misread = / #|\{[{%#]|[\p{C}\p{Zl}\p{Zp}]/u

const conflicts: readonly Conflict[] = [
  {
    holds: (_, isSet) => !isSet(['kubernetes', 'version']),
    message:
      'kubernetes.version is not set: the newest known version would be requested, and another one after an upgrade of winnode',
    remedy:
      'set kubernetes.version to the version of the control plane: Cluster API creates no machine of a newer one',
    see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/core/reconcilers/machineset/machineset_preflight.go',
  },
  {
    holds: ({ targets: { capi } }) =>
      capi.provider === 'aws' &&
      valueAt(capi.machine, ['instanceMetadataOptions', 'httpTokens']) === 'required',
    message:
      'cloudbase-init reads the metadata of EC2 without a token, and httpTokens: required refuses that',
    remedy:
      'leave targets.capi.machine.instanceMetadataOptions.httpTokens away, or set it to optional; docs/pipelines.md says how to keep pods from the metadata',
    see: 'https://github.com/cloudbase/cloudbase-init/issues/150',
  },
  {
    holds: ({ join }) => join.method !== 'kubeadm',
    message: 'Cluster API runs kubeadm itself, and the profile joins without it',
    remedy: 'set join.method to kubeadm',
    see: 'docs/join.md',
  },
  {
    holds: ({ kubelet }) => typeof kubelet.nodeName === 'string',
    message: 'kubelet.nodeName gives every machine of the deployment the same name',
    remedy:
      'leave kubelet.nodeName away, or name a file: it is written with the name of the machine',
    see: 'docs/join.md',
  },
  {
    holds: ({ kubelet, targets: { capi } }) =>
      capi.provider === 'aws' && kubelet.nodeName === undefined,
    message:
      'kubeadm gets the private DNS name of an instance, and Windows is called by its first part',
    remedy:
      'name a file in kubelet.nodeName, such as { file: C:\\ProgramData\\cloud\\node-name }: it is written with the whole name',
    see: 'https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/utils/hostname.py (set_hostname)',
  },
  {
    holds: ({ kubelet }) => kubelet.cloudProvider === undefined && kubelet.providerID === undefined,
    message: 'Cluster API finds the Node of a machine by its provider ID, and no field sets it',
    remedy:
      'set kubelet.cloudProvider to external, where a cloud controller manager runs, or kubelet.providerID to a file that the image writes',
    see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/core/reconcilers/machine/machine_controller_noderef.go (getNode)',
  },
  {
    holds: (spec) => bootstrapPaths(spec).some((path) => misread.test(path)),
    message:
      'Cluster API writes the path of a file without quotes, and the machine would read another one',
    remedy:
      'give files of credentials, and that of kubelet.nodeName, paths without a blank before #, without {{, {% and {#, and without invisible characters',
    see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/bootstrap/kubeadm/pkg/cloudinit/files.go',
  },
  {
    holds: ({ targets: { capi } }) =>
      capi.autoscaler !== undefined && capi.autoscaler.min > capi.autoscaler.max,
    message: 'targets.capi.autoscaler.min is more than its max',
    remedy: 'the autoscaler leaves such a group alone: give it a max that is not less',
    see: 'https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go (parseScalingBounds)',
  },
]

function refused([first, ...more]: readonly Problem[]): Refused {
  const others = more.flatMap(({ message, hints }) => [`also: ${message}`, ...hints])
  return {
    kind: 'refused',
    message: first?.message ?? '',
    hints: [...(first?.hints ?? []), ...others],
  }
}
