// Names of templates hold a hash of their content: only a new template name makes Cluster API roll machines.
import type { JsonObject } from '../../model/json.ts'
import type { CapiVersion } from '../../model/target-settings.ts'
import { digestOf } from '../../render/digest.ts'
import { jsonText } from '../../render/json-text.ts'
import { encodeText } from '../../render/encode.ts'

/** An object without metadata. */
export interface Template {
  readonly apiVersion: string
  readonly kind: string
  readonly spec: JsonObject
}

/** An object to refer to. */
export interface Named {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/**
 * The same content gets the same name.
 * https://cluster-api.sigs.k8s.io/tasks/updating-machine-templates
 */
export function withContentName(template: Template, prefix: string, namespace: string) {
  const digest = digestOf(encodeText(jsonText(template)))
  return withName(template, `${prefix}-${digest.slice(0, 8)}`, namespace)
}

export function withName({ apiVersion, kind, spec }: Template, name: string, namespace: string) {
  return { apiVersion, kind, metadata: { name, namespace }, spec }
}

export function fullReference({ apiVersion, kind, metadata: { name } }: Named): JsonObject {
  return { apiVersion, kind, name }
}

/** From an object of that version, except from a ClusterClass, which has the full form in both. */
export const references: Readonly<Record<CapiVersion, (to: Named) => JsonObject>> = {
  v1beta1: fullReference,
  v1beta2: ({ apiVersion, kind, metadata: { name } }) => ({
    apiGroup: apiVersion.replace(/\/.*/, ''),
    kind,
    name,
  }),
}

/** `.random` is five letters: https://github.com/kubernetes-sigs/cluster-api/blob/main/internal/topology/names/names.go */
export const machineNaming = (prefix: string) => ({ template: `${prefix}-{{ .random }}` })
