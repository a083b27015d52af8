// Target capi: Cluster API objects for machines whose image has the bundle, or that download it.
import { filesToCopy } from '../artifacts/files-to-copy.ts'
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { encodeText } from '../render/encode.ts'
import { yamlText } from '../render/yaml-text.ts'
import { bootstrapConfig, bootstrapTemplate } from './capi/bootstrap.ts'
import { type Delivery, bundleDelivery } from './capi/delivery.ts'
import { secretFiles } from './capi/files.ts'
import { machineHealthCheck } from './capi/health-check.ts'
import { machineOwner } from './capi/machine-owner.ts'
import { machinePool, rollsByBootstrap } from './capi/machine-pool.ts'
import { machineTemplate } from './capi/machine-template.ts'
import { withContentName } from './capi/names.ts'
import { capiSettings, type CapiSettings } from './capi/settings.ts'
import { workerClass } from './capi/worker-class.ts'
import { bundleDigest } from '../render/bundle-digest.ts'
import { defineTarget, type Input } from './target.ts'

export const capi = defineTarget({
  name: 'capi',
  single: true,
  make: async (input) => {
    const { facts } = input
    const settings = capiSettings(input)
    if (settings.kind === 'refused') return settings
    const delivery = await bundleDelivery(input)
    if (delivery.kind === 'refused') return delivery
    const secret = secretOf(facts)
    const documents = documentsOf(input, settings, secret, delivery)
    const path = 'machines.yaml'
    const { archive, next } = delivery
    const { clusterClass } = facts.spec.targets.capi
    // The user owns the ClusterClass and the Cluster: only server-side apply adds an entry to their lists.
    const how = clusterClass ? ` --server-side --field-manager winnode-${facts.spec.name}` : ''
    const apply = `in the management cluster: kubectl apply${how} -f ${path}`
    return {
      kind: 'made',
      files: [{ path, content: encodeText(yamlText(documents)) }, ...(archive ? [archive] : [])],
      next: [...next, ...secretStep(facts, secret), apply],
    }
  },
})

const secretOf = ({ spec }: Facts) => `${spec.name}-node-files`

function documentsOf(
  input: Input,
  { cluster, provider, version }: CapiSettings,
  secret: string,
  delivery: Delivery,
): readonly JsonObject[] {
  const { facts, bundle } = input
  const { name, targets } = facts.spec
  const { namespace, kind, clusterClass } = targets.capi
  const digest = bundleDigest(bundle)
  if (kind === 'MachinePool' && clusterClass === undefined) {
    const compared = rollsByBootstrap(provider) ? digest : undefined
    const config = bootstrapConfig(facts.spec, { digest: compared, secret, delivery })
    const bootstrap = withContentName(config, name, namespace)
    const pool = machinePool(input, provider, version, cluster)
    return [bootstrap, pool, machineOwner(facts, cluster, bootstrap, pool)]
  }
  const template = bootstrapTemplate(facts.spec, { digest, secret, delivery })
  const bootstrap = withContentName(template, name, namespace)
  const machine = withContentName(machineTemplate(input, provider, version), name, namespace)
  const templates = [bootstrap, machine]
  if (clusterClass !== undefined)
    return [...templates, ...workerClass(facts, clusterClass, cluster, bootstrap, machine)]
  return [
    ...templates,
    machineOwner(facts, cluster, bootstrap, machine),
    machineHealthCheck(facts.spec, cluster),
  ]
}

/**
 * As docs/pipelines/cluster-api.md has it: it also replaces the Secret, and copies no token into an annotation. Without the label
 * `clusterctl move` leaves the Secret behind.
 * https://github.com/kubernetes-sigs/cluster-api/blob/main/docs/book/src/developer/providers/contracts/clusterctl.md
 */
function secretStep({ spec }: Facts, secret: string): readonly string[] {
  const files = secretFiles(spec)
  if (files.size === 0) return []
  const names = new Map(filesToCopy(spec).map(({ file, path }) => [path, file]))
  const from = [...files].map(
    ([path, key]) => `--from-file ${key}=for-the-nodes/${names.get(path) ?? key}`,
  )
  const { namespace } = spec.targets.capi
  return [
    'create the files in for-the-nodes, as bundle/cluster/README.md describes',
    `in the management cluster: kubectl create secret generic ${secret} -n ${namespace} --dry-run=client -o yaml ${from.join(' ')} | kubectl label --local -f - -o yaml clusterctl.cluster.x-k8s.io/move= | kubectl apply --server-side -f -`,
    'Cluster API copies these credentials into the user data of each machine; docs/pipelines/cluster-api.md lists what can read them there',
  ]
}
