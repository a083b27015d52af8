// Names of templates: a template that was changed in place rolls no machine, so its name tells its content.
import type { JsonObject } from '../../model/json.ts'
import { digestOf } from '../../render/digest.ts'
import { jsonText } from '../../render/json-text.ts'
import { encodeText } from '../../render/text.ts'

/** An object without its name. */
export interface Template {
  readonly apiVersion: string
  readonly kind: string
  readonly spec: JsonObject
}

/**
 * The same content has the same name.
 * https://cluster-api.sigs.k8s.io/tasks/updating-machine-templates
 */
export function named(template: Template, prefix: string, namespace: string) {
  const digest = digestOf(encodeText(jsonText(template)))
  const { apiVersion, kind, spec } = template
  return {
    apiVersion,
    kind,
    metadata: { name: `${prefix}-${digest.slice(0, 8)}`, namespace },
    spec,
  }
}

/** Five letters: https://github.com/kubernetes-sigs/cluster-api/blob/main/internal/topology/names/names.go */
export const machineNaming = (prefix: string) => ({ template: `${prefix}-{{ .random }}` })
