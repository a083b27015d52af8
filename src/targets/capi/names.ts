// Names of templates hold a hash of their content: only a new template name makes Cluster API roll machines.
import type { JsonObject } from '../../model/json.ts'
import { digestOf } from '../../render/digest.ts'
import { jsonText } from '../../render/json-text.ts'
import { encodeText } from '../../render/encode.ts'

/** An object without metadata. */
export interface Template {
  readonly apiVersion: string
  readonly kind: string
  readonly spec: JsonObject
}

/**
 * The same content gets the same name.
 * https://cluster-api.sigs.k8s.io/tasks/updating-machine-templates
 */
export function withContentName(template: Template, prefix: string, namespace: string) {
  const digest = digestOf(encodeText(jsonText(template)))
  const { apiVersion, kind, spec } = template
  return {
    apiVersion,
    kind,
    metadata: { name: `${prefix}-${digest.slice(0, 8)}`, namespace },
    spec,
  }
}

/** `.random` is five letters: https://github.com/kubernetes-sigs/cluster-api/blob/main/internal/topology/names/names.go */
export const machineNaming = (prefix: string) => ({ template: `${prefix}-{{ .random }}` })
