// Target capi: the objects by which Cluster API makes machines of an image that was built with the bundle.
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { encodeText } from '../render/text.ts'
import { yamlText } from '../render/yaml-text.ts'
import { bootstrapTemplate } from './capi/bootstrap.ts'
import { secretFiles } from './capi/files.ts'
import { machineHealthCheck } from './capi/health-check.ts'
import { machineDeployment } from './capi/machine-deployment.ts'
import { machineTemplate } from './capi/machine-template.ts'
import { named } from './capi/names.ts'
import { refusal, type Wanted } from './capi/refusal.ts'
import { bundleDigest } from './bundle-digest.ts'
import { defineTarget } from './target.ts'

export const capi = defineTarget({
  name: 'capi',
  summary:
    'Cluster API: templates, MachineDeployment and health check of machines with this bundle.',
  single: true,
  limits: [],
  reads: [
    'provider',
    'cluster',
    'namespace',
    'apiVersion',
    'machine',
    'machineVersion',
    'namePrefix',
    'replicas',
    'autoscaler.max',
    'autoscaler.min',
    'startMinutes',
  ],
  make: ({ facts, bundle }) => {
    const wanted = refusal(facts)
    if (wanted.kind === 'refused') return Promise.resolve(wanted)
    const digest = bundleDigest(bundle)
    const secret = secretOf(facts)
    const documents = documentsOf(facts, wanted, digest, secret)
    const path = 'machines.yaml'
    return Promise.resolve({
      kind: 'made',
      files: [{ path, content: encodeText(yamlText(documents)) }],
      next: [...secretStep(facts, secret), `kubectl apply -f ${path}, where Cluster API runs`],
    })
  },
})

const secretOf = ({ spec }: Facts) => `${spec.name}-node-files`

function documentsOf(
  facts: Facts,
  { cluster, provider, version }: Wanted,
  digest: string,
  secret: string,
): readonly JsonObject[] {
  const { name, targets } = facts.spec
  const { namespace } = targets.capi
  const bootstrap = named(bootstrapTemplate(facts.spec, digest, secret), name, namespace)
  const machine = named(machineTemplate(facts, provider, version), name, namespace)
  return [
    bootstrap,
    machine,
    machineDeployment(facts, cluster, bootstrap, machine),
    machineHealthCheck(facts.spec, cluster),
  ]
}

function secretStep({ spec }: Facts, secret: string): readonly string[] {
  const files = secretFiles(spec)
  if (files.size === 0) return []
  const { namespace } = spec.targets.capi
  return [
    `put ${[...files.values()].join(', ')} into the Secret ${secret} of the namespace ${namespace}: bundle/cluster/README.md makes them`,
  ]
}
