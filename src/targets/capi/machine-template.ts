// Machine templates of the infrastructure providers: derived fields, and those that only the user can supply.
import { mergeJson, type JsonObject } from '../../model/json.ts'
import type { CapiVersion, Provider, TargetSettings } from '../../model/target-settings.ts'
import { azureDiskGB, diskGiB } from '../machine.ts'
import type { Input } from '../target.ts'
import type { Template } from './names.ts'

interface Row {
  readonly kind: string
  /** Served API versions; the first is the default. */
  readonly versions: readonly CapiVersion[]
  /** Fields that the profile must set in `targets.capi.machine`. */
  readonly required: readonly string[]
  /** Derived from the profile; `targets.capi.machine` overrides it. */
  readonly known: (input: Input) => JsonObject
}

type Machine = TargetSettings['capi']['machine']

/** Their templates are known. */
type KnownProvider = Exclude<Provider, 'other'>

const rows: Readonly<Record<KnownProvider, Row>> = {
  // https://capz.sigs.k8s.io/self-managed/windows
  azure: {
    kind: 'AzureMachineTemplate',
    versions: ['v1beta1'],
    required: ['vmSize', 'image'],
    known: (input) => {
      const diskSizeGB = azureDiskGB(input)
      const { bundleURL } = input.facts.spec.targets.capi
      return {
        osDisk: { osType: 'Windows', ...(diskSizeGB !== undefined && { diskSizeGB }) },
        // Before 1.25 it waits five minutes for the join, which takes longer here, and reports a failure.
        ...(bundleURL !== undefined && { disableVMBootstrapExtension: true }),
      }
    },
  },
  vsphere: {
    kind: 'VSphereMachineTemplate',
    versions: ['v1beta1', 'v1beta2'],
    required: ['template', 'network'],
    known: ({ facts }) => ({
      // Case-sensitive: https://github.com/kubernetes-sigs/cluster-api-provider-vsphere (internal/webhooks/vspherevm.go)
      os: 'Windows',
      numCPUs: facts.spec.machine.cpu,
      memoryMiB: facts.reservations.capacity.memory,
      diskGiB: diskGiB(facts),
    }),
  },
  aws: {
    kind: 'AWSMachineTemplate',
    versions: ['v1beta2'],
    required: ['instanceType', 'ami'],
    known: ({ facts }) => ({
      // Otherwise user data is a boothook, which cloudbase-init does not support:
      // https://cluster-api-aws.sigs.k8s.io/topics/userdata-privacy
      cloudInit: { insecureSkipSecretsManager: true },
      rootVolume: { size: diskGiB(facts) },
    }),
  },
}

/** Required fields that the profile does not set. */
export function missingFields(provider: Provider, machine: Machine): readonly string[] {
  const required = provider === 'other' ? ownFields : rows[provider].required
  return required.filter((field) => machine[field] === undefined)
}

const ownFields = ['apiVersion', 'kind', 'spec']

/** Fields of a provider that only the profile knows, beside its template. */
export const unusedFields = (machine: Machine) =>
  Object.keys(machine).filter((field) => !ownFields.includes(field))

/** `undefined` for a provider whose template the profile names. */
export const machineVersions = (provider: Provider) =>
  provider === 'other' ? undefined : rows[provider].versions

export function machineTemplate(
  input: Input,
  provider: Provider,
  version: CapiVersion | undefined,
): Template {
  const { machine } = input.facts.spec.targets.capi
  if (provider === 'other') return ownTemplate(machine)
  const { kind, known } = rows[provider]
  const spec = mergeJson(known(input), machine)
  return {
    apiVersion: `infrastructure.cluster.x-k8s.io/${version}`,
    kind,
    spec: { template: { spec } },
  }
}

/** `missingFields` has found its three fields. */
function ownTemplate({ apiVersion = '', kind = '', spec = {} }: Machine): Template {
  return { apiVersion, kind, spec: { template: { spec } } }
}
