// What an API server says of a whole object of a custom resource: its version, its metadata, its schema.
import { isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { refused, warned, type Finding } from '../finding.ts'
import { judgeValue } from './schema.ts'
import { textOf } from '../go/scalar.ts'

export interface Crd {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly deprecated: boolean
  readonly openAPIV3Schema: JsonObject
}

/** https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go */
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

export function judgeResource(document: JsonObject, crds: readonly Crd[]): readonly Finding[] {
  const { apiVersion, kind } = document
  const crd = crds.find((row) => `${row.group}/${row.version}` === apiVersion && row.kind === kind)
  if (!crd) return [refused(`no matches for kind ${textOf(kind)} in version ${textOf(apiVersion)}`)]
  return [
    ...(crd.deprecated ? [warned(`${textOf(apiVersion)} ${textOf(kind)} is deprecated`)] : []),
    ...judgeMetadata(document['metadata']),
    ...judgeValue(withRoot(crd.openAPIV3Schema), document, crd.kind),
  ]
}

/** An API server adds these to the schema of every object. */
function withRoot(schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const text = { type: 'string' }
  const root = { apiVersion: text, kind: text, metadata: { type: 'object' } }
  return { ...schema, properties: { ...root, ...properties } }
}

function judgeMetadata(metadata: Json | undefined): readonly Finding[] {
  const { name, labels } = isObject(metadata) ? metadata : {}
  const text = textOf(name)
  return [
    ...(subdomain.test(text) && text.length <= 253 ? [] : [refused(`metadata.name: ${text}`)]),
    ...Object.entries(isObject(labels) ? labels : {}).flatMap(([key, value]) =>
      labelValue.test(textOf(value)) && textOf(value).length <= 63
        ? []
        : [refused(`metadata.labels.${key}: ${textOf(value)}`)],
    ),
  ]
}
