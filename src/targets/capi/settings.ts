// Reads the settings of the target capi, and refuses profiles with which machines would not join.
import { apiClientsOf } from '../../cni/api-clients.ts'
import { everyCni } from '../../cni/index.ts'
import { kubeProxyRuns } from '../../cni/kube-proxy.ts'
import { credentialFiles } from '../../cni/kubeconfig.ts'
import type { Cni } from '../../cni/plugin.ts'
import { parseVersion } from '../../matrix/version.ts'
import { isObject, textAt, valueAt, type JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { providers, type CapiVersion, type Provider } from '../../model/target-settings.ts'
import { refused, type Input, type Refusal, type Refused } from '../target.ts'
import { poolOf, sizesOfGroup } from './machine-pool.ts'
import { machineVersions, missingFields, unusedFields } from './machine-template.ts'

export interface CapiSettings {
  readonly kind: 'settings'
  readonly provider: Provider
  readonly cluster: string
  /** API version of the machine template, of a known provider. */
  readonly version: CapiVersion | undefined
}

/** The settings, or every reason to refuse the profile. */
export function capiSettings({ facts: { spec }, isSet }: Input): CapiSettings | Refused {
  const { provider, cluster, machine, machineVersion, pool } = spec.targets.capi
  const group = provider && isPool(spec) ? poolOf(provider) : undefined
  const served = provider && machineVersions(provider)
  const version = served?.find((one) => machineVersion === undefined || one === machineVersion)
  const missing = provider ? missingFields(provider, machine) : []
  const refusals = [
    ...conflicts.flatMap(({ holds, ...refusal }) => (holds(spec, isSet) ? [refusal] : [])),
    ...missing.map((field) => ({
      path: ['targets', 'capi', 'machine'],
      message: `the machine of provider ${provider} lacks ${field}`,
      remedy: `Set targets.capi.machine.${field}.`,
    })),
    ...(provider === 'other' ? unusedFields(machine) : []).map((field) => ({
      path: ['targets', 'capi', 'machine', field],
      message: `with provider other, only apiVersion, kind and spec are used, not ${field}`,
      remedy: 'Move it below targets.capi.machine.spec.',
    })),
    ...misreadFields(spec).map((path) => ({
      path,
      message:
        'Cluster API writes the path of a file without quotes, and the machine would read another path',
      remedy: 'Remove " #", {{, {%, {# and invisible characters from the path.',
      see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/bootstrap/kubeadm/pkg/cloudinit/files.go',
    })),
    ...(group?.required ?? [])
      .filter((field) => pool[field] === undefined)
      .map((field) => ({
        path: ['targets', 'capi', 'pool'],
        message: `the ${group?.kind} lacks ${field}`,
        remedy: `Set targets.capi.pool.${field}.`,
      })),
    ...refusalIf(group !== undefined && pool[group.machine] !== undefined, {
      path: ['targets', 'capi', 'pool', `${group?.machine}`],
      message: `${group?.machine} of the ${group?.kind} has the fields of targets.capi.machine`,
      remedy: 'Move its fields to targets.capi.machine.',
    }),
    ...idleFields(spec, isSet).map((field) => ({
      path: ['targets', 'capi', field],
      message: `${field} has no effect: ${spec.targets.capi.clusterClass === undefined ? `a ${spec.targets.capi.kind} of provider ${provider}` : 'a worker class'} has no such setting`,
      remedy: `Remove targets.capi.${field}.`,
    })),
    ...refusalIf(provider === 'other' && machine.kind?.endsWith('Template') === isPool(spec), {
      path: ['targets', 'capi', 'machine', 'kind'],
      message: isPool(spec)
        ? `${machine.kind} is a template: a MachinePool refers to the pool of the provider itself`
        : `${machine.kind} is no template: Cluster API creates machines of the kind without Template at its end`,
      remedy: isPool(spec)
        ? 'Name the kind of the pool, such as OCIMachinePool.'
        : 'Name the kind of the machine template, such as OpenStackMachineTemplate.',
      see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/controllers/external/util.go',
    }),
    ...refusalIf(provider === 'other' && machineVersion !== undefined, {
      path: ['targets', 'capi', 'machineVersion'],
      message: 'with provider other, the version is part of targets.capi.machine.apiVersion',
      remedy: 'Remove targets.capi.machineVersion.',
    }),
    ...refusalIf(served !== undefined && version === undefined, {
      path: ['targets', 'capi', 'machineVersion'],
      message: `provider ${provider} serves no machine template of ${machineVersion}`,
      remedy: `Set targets.capi.machineVersion to ${served?.join(' or ')}, or remove it.`,
    }),
  ]
  return provider && cluster !== undefined && refusals.length === 0
    ? { kind: 'settings', provider, cluster, version }
    : refused(...refusals)
}

/** Of a MachineSet: with kubeadm its minor must be that of the control plane (kubeadmVersionPreflightCheck). */
const preflight =
  'https://github.com/kubernetes-sigs/cluster-api/blob/main/core/reconcilers/machineset/machineset_preflight.go'

/** A pool that is no class: the object of the provider is used as it is, and not copied from a template. */
const isPool = ({ targets: { capi } }: NodeSpec) =>
  capi.kind === 'MachinePool' && capi.clusterClass === undefined

/** Fields that are set, and that no object of the output has. */
function idleFields(spec: NodeSpec, isSet: Input['isSet']): readonly string[] {
  const { provider, clusterClass, kind, pool } = spec.targets.capi
  const isGroup = isPool(spec)
  const unused = {
    namePrefix: clusterClass !== undefined || (isGroup && provider !== 'azure'),
    startMinutes: kind === 'MachinePool' && !(isGroup && provider === 'aws'),
    pool: Object.keys(pool).length > 0 && !(isGroup && provider !== 'other'),
  }
  return Object.entries(unused).flatMap(([field, idle]) =>
    idle && isSet(['targets', 'capi', field]) ? [field] : [],
  )
}

/** CAPA's default for user data is a script for Linux that reads a secret store (pkg/cloud/services/secretsmanager). */
function wrapsUserData({ cloudInit = {}, ignition }: JsonObject): boolean {
  const isOurs =
    isObject(cloudInit) &&
    Object.entries(cloudInit).every(
      ([field, value]) => field === 'insecureSkipSecretsManager' && value === true,
    )
  return !isOurs || ignition !== undefined
}

/** With the autoscaler, Cluster API follows the size of the group. */
function holdsReplicas(spec: NodeSpec): boolean {
  const { autoscaler, replicas } = spec.targets.capi
  const { minSize, maxSize } = sizesOfGroup(spec)
  const [least, most] = [Number(minSize), Number(maxSize)]
  return least <= most && (autoscaler !== undefined || (least <= replicas && replicas <= most))
}

function refusalIf(holds: boolean, refusal: Refusal): readonly Refusal[] {
  return holds ? [refusal] : []
}

/** A plugin with credentials on the node, unless it runs as pods. */
function credentialsConflict({ id, title, credentials }: Cni): Conflict {
  const path = ['network', id, 'runsAs']
  return {
    holds: ({ network }, isSet) =>
      network.cni === id && credentials?.(network) !== undefined && !isSet(path),
    path,
    message: `${path.join('.')} is not set: as a service, the credentials of ${title} would be in the user data of each machine`,
    remedy: `Set ${path.join('.')} to hostProcess, or to service if credentials in user data are acceptable: see docs/pipelines/cluster-api.md.`,
    see: 'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/',
  }
}

interface Conflict extends Refusal {
  readonly holds: (spec: NodeSpec, isSet: Input['isSet']) => boolean
}

/** Comments and line breaks of YAML in an unquoted path, and delimiters of Jinja. */
const misread = / #|\{[{%#]|[\p{C}\p{Zl}\p{Zp}]/u

/** Fields with such a path of a file that the bootstrap data writes. */
function misreadFields(spec: NodeSpec): readonly Path[] {
  const { nodeName } = spec.kubelet
  const ofCredentials = apiClientsOf(spec).map(({ field, credentials }) => ({
    field,
    paths: credentialFiles(credentials),
  }))
  const ofName = {
    field: ['kubelet', 'nodeName'],
    paths: typeof nodeName === 'object' ? [nodeName.file] : [],
  }
  return [ofName, ...ofCredentials].flatMap(({ field, paths }) =>
    paths.some((path) => misread.test(path)) ? [field] : [],
  )
}

const conflicts: readonly Conflict[] = [
  {
    holds: ({ targets: { capi } }) => capi.provider === undefined,
    path: ['targets', 'capi', 'provider'],
    message: 'targets.capi.provider is not set',
    remedy: `Set it to one of: ${providers.join(', ')}.`,
  },
  {
    holds: ({ targets: { capi } }) => capi.cluster === undefined,
    path: ['targets', 'capi', 'cluster'],
    message: 'targets.capi.cluster is not set',
    remedy: 'Set it to the name of the Cluster object.',
  },
  {
    holds: (spec) => spec.targets.capi.provider === 'vsphere' && isPool(spec),
    path: ['targets', 'capi', 'kind'],
    message: 'provider vsphere has no machine pools',
    remedy: 'Set targets.capi.kind to MachineDeployment.',
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/tree/main/config/default/crd/bases',
  },
  {
    holds: ({ targets: { capi } }) =>
      capi.clusterClass !== undefined && capi.kind === 'MachinePool' && capi.provider !== 'other',
    path: ['targets', 'capi', 'clusterClass'],
    message:
      'a class of machine pools refers to a template of them, and azure, vsphere and aws have none',
    remedy: 'Set targets.capi.kind to MachineDeployment, or remove targets.capi.clusterClass.',
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-azure/tree/main/config/crd/bases',
  },
  {
    holds: (spec) =>
      spec.targets.capi.provider === 'azure' &&
      isPool(spec) &&
      spec.targets.capi.bundleURL !== undefined,
    path: ['targets', 'capi', 'bundleURL'],
    message:
      'an AzureMachinePool replaces machines only when the image changes, and with a plain image another bundle would reach no machine',
    remedy: 'Build an image with the bundle, or set targets.capi.kind to MachineDeployment.',
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/main/azure/types.go',
  },
  {
    holds: (spec, isSet) =>
      spec.targets.capi.provider === 'azure' &&
      isPool(spec) &&
      !isSet(['targets', 'capi', 'namePrefix']),
    path: ['targets', 'capi', 'namePrefix'],
    message:
      'targets.capi.namePrefix is not set: it names the scale set, and two pools with one name would be the same scale set',
    remedy: 'Set it to a name that no other pool of the resource group has.',
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/main/azure/scope/machinepool.go',
  },
  {
    holds: (_, isSet) => !isSet(['kubernetes', 'version']),
    path: ['kubernetes', 'version'],
    message:
      'kubernetes.version is not set: the newest known version would be requested, and another one after an upgrade of winnode',
    remedy:
      'Set it to the version of the control plane: Cluster API creates no machine of another minor.',
    see: preflight,
  },
  {
    holds: ({ kubernetes, targets: { capi } }) =>
      capi.kind === 'MachineDeployment' &&
      capi.clusterClass === undefined &&
      parseVersion(kubernetes.version)?.minor !== parseVersion(kubernetes.apiServer)?.minor,
    path: ['kubernetes', 'version'],
    message:
      'kubernetes.version is of another minor than kubernetes.apiServer: Cluster API creates no machine of it',
    remedy: 'Set kubernetes.version to the minor of the control plane.',
    see: preflight,
  },
  {
    holds: (spec, isSet) => kubeProxyRuns(spec) === 'service' && !isSet(['kubeProxy', 'runsAs']),
    path: ['kubeProxy', 'runsAs'],
    message:
      'kubeProxy.runsAs is not set: as a service, the credentials of kube-proxy would be in the user data of each machine',
    remedy:
      'Set kubeProxy.runsAs to hostProcess, or to service if credentials in user data are acceptable: see docs/pipelines/cluster-api.md.',
    see: 'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/',
  },
  ...everyCni.flatMap((cni) => (cni.credentials ? [credentialsConflict(cni)] : [])),
  {
    holds: ({ targets: { capi } }) =>
      capi.provider === 'aws' &&
      valueAt(capi.machine, ['instanceMetadataOptions', 'httpTokens']) === 'required',
    path: ['targets', 'capi', 'machine'],
    message:
      'httpTokens: required rejects cloudbase-init, which reads the metadata of EC2 without a token',
    remedy:
      'Set instanceMetadataOptions.httpTokens to optional, and block the metadata for pods: docs/pipelines/cluster-api.md, credentials.',
    see: 'https://github.com/cloudbase/cloudbase-init/issues/150',
  },
  {
    holds: ({ targets: { capi } }) => capi.provider === 'aws' && wrapsUserData(capi.machine),
    path: ['targets', 'capi', 'machine'],
    message:
      'with these fields of cloudInit or ignition, CAPA sends user data in a form that cloudbase-init does not run, or rejects the template',
    remedy:
      'Remove ignition and cloudInit from targets.capi.machine: winnode sets cloudInit.insecureSkipSecretsManager.',
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-aws/blob/main/webhooks/awsmachinetemplate_webhook.go',
  },
  {
    holds: ({ targets: { capi } }) =>
      (capi.bootstrap['format'] ?? 'cloud-config') !== 'cloud-config',
    path: ['targets', 'capi', 'bootstrap'],
    message: 'format ignition is for Linux: cloudbase-init does not run it',
    remedy: 'Remove format from targets.capi.bootstrap.',
    see: 'https://cluster-api.sigs.k8s.io/tasks/experimental-features/ignition',
  },
  {
    holds: (spec) => spec.targets.capi.provider === 'aws' && isPool(spec) && !holdsReplicas(spec),
    path: ['targets', 'capi', 'pool'],
    message:
      'minSize of the AWSMachinePool is more than maxSize, or replicas are not between them: no group is created',
    remedy: 'Remove minSize and maxSize: they follow targets.capi.autoscaler or replicas.',
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-aws/blob/main/pkg/cloud/services/autoscaling/autoscalinggroup.go',
  },
  {
    holds: ({ targets: { capi } }) =>
      [['osDisk', 'osType'], ['os']].some((path) => {
        const system = valueAt(capi.machine, path)
        return system !== undefined && system !== 'Windows'
      }),
    path: ['targets', 'capi', 'machine'],
    message: 'the operating system of the machine is not Windows',
    remedy: 'Remove osDisk.osType and os from targets.capi.machine: winnode sets them.',
  },
  {
    holds: ({ targets: { capi } }) => {
      const name = textAt(capi.bootstrap, ['joinConfiguration', 'nodeRegistration', 'name'])
      // A variable of cloud-init, which cloudbase-init replaces on each machine.
      return name !== '' && !name.includes('{{')
    },
    path: ['targets', 'capi', 'bootstrap'],
    message: 'nodeRegistration.name gives every machine of the pool the same name',
    remedy: 'Remove it: winnode sets it to the host name of each machine.',
  },
  {
    holds: ({ join }) => join.method !== 'kubeadm',
    path: ['join', 'method'],
    message: 'Cluster API runs kubeadm, and the profile joins without it',
    remedy: 'Set join.method to kubeadm.',
  },
  {
    holds: ({ kubelet }) => typeof kubelet.nodeName === 'string',
    path: ['kubelet', 'nodeName'],
    message: 'kubelet.nodeName gives every machine of the deployment the same name',
    remedy: 'Remove it, or set it to a file: cloudbase-init writes the name of the machine to it.',
  },
  {
    holds: ({ kubelet, targets: { capi } }) =>
      capi.provider === 'aws' && kubelet.nodeName === undefined,
    path: ['kubelet', 'nodeName'],
    message:
      'kubeadm gets the private DNS name of an instance, and Windows has its first part as the name',
    remedy:
      'Set kubelet.nodeName to a file, such as { file: C:\\ProgramData\\cloud\\node-name }: cloudbase-init writes the whole name to it.',
    see: 'https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/utils/hostname.py',
  },
  {
    holds: ({ kubelet }) => kubelet.cloudProvider === undefined && kubelet.providerID === undefined,
    path: ['kubelet', 'cloudProvider'],
    message: 'Cluster API finds the Node of a machine by its provider ID, and no field sets it',
    remedy:
      'Set kubelet.cloudProvider to external if a cloud controller manager runs, or kubelet.providerID to a file in the image.',
    see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/core/reconcilers/machine/machine_controller_noderef.go',
  },
  {
    holds: ({ targets: { capi } }) =>
      capi.autoscaler !== undefined && capi.autoscaler.min > capi.autoscaler.max,
    path: ['targets', 'capi', 'autoscaler'],
    message: 'targets.capi.autoscaler.min is more than max: the autoscaler ignores such a group',
    remedy: 'Set max to at least min.',
    see: 'https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go',
  },
]
