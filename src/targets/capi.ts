// Target capi: the objects by which Cluster API makes machines of an image that has the bundle, or of a plain one.
import { broughtFiles } from '../artifacts/brought.ts'
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { encodeText } from '../render/text.ts'
import { yamlText } from '../render/yaml-text.ts'
import { bootstrapTemplate } from './capi/bootstrap.ts'
import { type Brought, broughtBy, contentLimit } from './capi/brought.ts'
import { secretFiles } from './capi/files.ts'
import { machineHealthCheck } from './capi/health-check.ts'
import { machineDeployment } from './capi/machine-deployment.ts'
import { machineTemplate } from './capi/machine-template.ts'
import { named } from './capi/names.ts'
import { refusal, type Wanted } from './capi/refusal.ts'
import { bundleDigest } from './bundle-digest.ts'
import { defineTarget, type Input } from './target.ts'

export const capi = defineTarget({
  name: 'capi',
  summary:
    'Cluster API: templates, MachineDeployment and health check of machines with this bundle.',
  single: true,
  limits: [contentLimit],
  reads: [
    'bundleURL',
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
  make: async (input) => {
    const { facts } = input
    const wanted = refusal(facts)
    if (wanted.kind === 'refused') return wanted
    const brought = await broughtBy(input)
    if (brought.kind === 'refused') return brought
    const secret = secretOf(facts)
    const documents = documentsOf(input, wanted, secret, brought)
    const path = 'machines.yaml'
    const { archive, next } = brought
    const apply = `kubectl apply -f ${path}, where Cluster API runs`
    return {
      kind: 'made',
      files: [{ path, content: encodeText(yamlText(documents)) }, ...(archive ? [archive] : [])],
      next: [...next, ...secretStep(facts, secret), apply],
    }
  },
})

const secretOf = ({ spec }: Facts) => `${spec.name}-node-files`

function documentsOf(
  { facts, bundle }: Input,
  { cluster, provider, version }: Wanted,
  secret: string,
  brought: Brought,
): readonly JsonObject[] {
  const { name, targets } = facts.spec
  const { namespace } = targets.capi
  const template = bootstrapTemplate(facts.spec, bundleDigest(bundle), secret, brought)
  const bootstrap = named(template, name, namespace)
  const machine = named(machineTemplate(facts, provider, version), name, namespace)
  return [
    bootstrap,
    machine,
    machineDeployment(facts, cluster, bootstrap, machine),
    machineHealthCheck(facts.spec, cluster),
  ]
}

/** As docs/pipelines.md has it: it also replaces the Secret, and copies no token into an annotation. */
function secretStep({ spec }: Facts, secret: string): readonly string[] {
  const files = secretFiles(spec)
  if (files.size === 0) return []
  const names = new Map(broughtFiles(spec).map(({ file, path }) => [path, file]))
  const from = [...files].map(
    ([path, key]) => `--from-file ${key}=for-the-nodes/${names.get(path) ?? key}`,
  )
  const { namespace } = spec.targets.capi
  return [
    'bundle/cluster/README.md makes the files in for-the-nodes; where Cluster API runs, their Secret is made by',
    `kubectl create secret generic ${secret} -n ${namespace} --dry-run=client -o yaml ${from.join(' ')} | kubectl apply --server-side -f -`,
  ]
}
