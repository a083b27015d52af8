// Machine templates of the infrastructure providers: what we know of each, and what only its owner knows.
import type { Facts } from '../../model/facts.ts'
import { mergeJson, type JsonObject } from '../../model/json.ts'
import type { CapiVersion, Provider } from '../../model/target-settings.ts'
import { gibibytesOfDisk } from '../machine.ts'
import type { Template } from './names.ts'

interface Row {
  readonly kind: string
  /** Versions of its API that are served; the first counts where the profile names none. */
  readonly versions: readonly CapiVersion[]
  /** Fields of a machine without which there is none from our image. */
  readonly required: readonly string[]
  /** What follows from the profile; `targets.capi.machine` goes over it. */
  readonly known: (facts: Facts) => JsonObject
  readonly see: string
}

const rows: Readonly<Record<Provider, Row>> = {
  azure: {
    kind: 'AzureMachineTemplate',
    versions: ['v1beta1'],
    required: ['vmSize', 'image'],
    known: (facts) => ({ osDisk: { osType: 'Windows', diskSizeGB: gibibytesOfDisk(facts) } }),
    see: 'https://capz.sigs.k8s.io/self-managed/windows',
  },
  vsphere: {
    kind: 'VSphereMachineTemplate',
    versions: ['v1beta1', 'v1beta2'],
    required: ['template', 'network'],
    known: (facts) => ({
      // Compared letter for letter: https://github.com/kubernetes-sigs/cluster-api-provider-vsphere (internal/webhooks/vspherevm.go)
      os: 'Windows',
      numCPUs: facts.spec.machine.cpu,
      memoryMiB: facts.reservations.capacity.memory,
      diskGiB: gibibytesOfDisk(facts),
    }),
    see: 'https://github.com/kubernetes-sigs/cluster-api-provider-vsphere',
  },
  aws: {
    kind: 'AWSMachineTemplate',
    versions: ['v1beta2'],
    required: ['instanceType', 'ami'],
    known: (facts) => ({
      // Else user data is a boothook, which cloudbase-init does not know.
      cloudInit: { insecureSkipSecretsManager: true },
      rootVolume: { size: gibibytesOfDisk(facts) },
    }),
    see: 'https://cluster-api-aws.sigs.k8s.io/topics/userdata-privacy',
  },
}

/** Fields of the machine that nobody said. */
export function missingFields(provider: Provider, machine: JsonObject): readonly string[] {
  return rows[provider].required.filter((field) => machine[field] === undefined)
}

export const machineVersions = (provider: Provider) => rows[provider].versions

export function machineTemplate(facts: Facts, provider: Provider, version: CapiVersion): Template {
  const { kind, known } = rows[provider]
  const spec = mergeJson(known(facts), facts.spec.targets.capi.machine)
  return {
    apiVersion: `infrastructure.cluster.x-k8s.io/${version}`,
    kind,
    spec: { template: { spec } },
  }
}
