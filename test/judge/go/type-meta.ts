// Kind and version of a document: apimachinery, pkg/runtime/serializer/json/meta.go, SimpleMetaFactory.
import type { Parsed } from './json-reader.ts'

export interface TypeMeta {
  readonly kind: string
  readonly apiVersion: string
  readonly group: string
  readonly version: string
}

/** By encoding/json, which takes names in any case. */
export function typeMetaOf(document: { readonly [key: string]: Parsed }): TypeMeta {
  const last = (name: string) => {
    const key = Object.keys(document).findLast((one) => one.toLowerCase() === name)
    const value = key === undefined ? undefined : document[key]
    return typeof value === 'string' ? value : ''
  }
  const apiVersion = last('apiversion')
  const [group = '', version] = apiVersion.split('/')
  return version === undefined
    ? { kind: last('kind'), apiVersion, group: '', version: group }
    : { kind: last('kind'), apiVersion, group, version }
}
