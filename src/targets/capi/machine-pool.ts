// Machine pools of the infrastructure providers: groups of machines that a cloud creates from one model.
import { mergeJson, type JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { CapiVersion, Provider } from '../../model/target-settings.ts'
import { azureDiskGB, diskGiB } from '../machine.ts'
import type { Input } from '../target.ts'
import { withName, type Named } from './names.ts'

interface Row {
  readonly kind: string
  /** The field of its spec that has the fields of a machine. */
  readonly machine: string
  /** Fields that the profile must set in `targets.capi.pool`. */
  readonly required: readonly string[]
  /** Unlike a template it is changed in place, so its name does not depend on its content. */
  readonly name: (spec: NodeSpec, cluster: string) => string
  /** Derived from the profile; `targets.capi.machine` and `targets.capi.pool` override it. */
  readonly known: (input: Input) => JsonObject
  /** It replaces machines when the bootstrap data has another name. */
  readonly rollsByBootstrap: boolean
}

/**
 * vSphere has no pools, and no provider has templates of them for a ClusterClass (config/crd/bases):
 * https://github.com/kubernetes-sigs/cluster-api-provider-azure/tree/69ec3a40a818ccbc32b8ce88c84609404d8cb7a2
 * https://github.com/kubernetes-sigs/cluster-api-provider-aws/tree/2cf09d78547d32975570a4b9ba5496bdfe26abeb
 * https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/tree/111a1ba9bc520513125324c90aa3a8b80321fc13
 */
const rows: Readonly<Partial<Record<Provider, Row>>> = {
  azure: {
    kind: 'AzureMachinePool',
    machine: 'template',
    required: ['location'],
    // Of a longer name it uses the last five characters, which two pools can share (azure/scope/machinepool.go, Name).
    name: ({ targets }) => targets.capi.namePrefix,
    known: (input) => {
      const diskSizeGB = azureDiskGB(input)
      // Not disableVMBootstrapExtension: pools have it since 1.25, where its default is true, and it cannot be removed later
      // (exp/api/v1beta1/azuremachinepool_types.go, azure/scope/machinepool.go).
      return {
        template: {
          osDisk: { osType: 'Windows', ...(diskSizeGB !== undefined && { diskSizeGB }) },
        },
      }
    },
    // Only another image does (azure/types.go, HasLatestModelApplied). New user data is sent only together with another
    // model or more replicas (azure/services/scalesets/spec.go, existingParameters): a digest in it could be an old one.
    rollsByBootstrap: false,
  },
  aws: {
    kind: 'AWSMachinePool',
    machine: 'awsLaunchTemplate',
    required: [],
    // It names the Auto Scaling group, which is unique in a region of an account.
    name: ({ name }, cluster) => `${cluster}-${name}`,
    known: ({ facts }) => {
      const { startMinutes } = facts.spec.targets.capi
      return {
        ...sizesOfGroup(facts.spec),
        // An instance refresh does not look at Nodes, and waits only five minutes by default.
        refreshPreferences: { instanceWarmup: startMinutes * 60 },
        awsLaunchTemplate: {
          // Otherwise the default of the account applies, which can require a token; cloudbase-init has none.
          instanceMetadataOptions: { httpTokens: 'optional' },
          rootVolume: { size: diskGiB(facts) },
        },
      }
    },
    // The key of the Secret is compared (pkg/cloud/services/ec2/launchtemplate.go, ReconcileLaunchTemplate).
    rollsByBootstrap: true,
  },
}

/** Of an AWSMachinePool: `targets.capi.pool` may set either. */
export function sizesOfGroup({ targets: { capi } }: NodeSpec): JsonObject {
  const { autoscaler, replicas, pool } = capi
  const { minSize = autoscaler?.min ?? replicas } = pool
  const { maxSize = Math.max(1, autoscaler?.max ?? replicas) } = pool
  return { minSize, maxSize }
}

/** `undefined` for a provider whose pools are unknown, or which has none. */
export const poolOf = (provider: Provider) => rows[provider]

export const rollsByBootstrap = (provider: Provider) => rows[provider]?.rollsByBootstrap ?? true

export function machinePool(
  input: Input,
  provider: Provider,
  version: CapiVersion | undefined,
  cluster: string,
): Named & JsonObject {
  const { spec } = input.facts
  const { machine, pool, namespace } = spec.targets.capi
  const row = rows[provider]
  if (!row) {
    const { apiVersion = '', kind = '', spec: own = {} } = machine
    return withName({ apiVersion, kind, spec: own }, spec.name, namespace)
  }
  const fields = mergeJson(row.known(input), mergeJson({ [row.machine]: machine }, pool))
  const apiVersion = `infrastructure.cluster.x-k8s.io/${version}`
  return withName({ apiVersion, kind: row.kind, spec: fields }, row.name(spec, cluster), namespace)
}
