// Fields: reads typed values from one map of a kubeconfig, and says whose type is wrong.
import { isList, isObject, type Json, type JsonObject } from '../../model/json.ts'
import { formatPath, type Path } from '../../model/path.ts'
import { ClusterProblem } from '../problem.ts'

/** Absent and null are the empty value, as in Go. Values themselves are never said: they may be secrets. */
export interface Fields {
  readonly text: (key: string) => string
  readonly flag: (key: string) => boolean
  /** Base64, as Go reads bytes from JSON. */
  readonly bytes: (key: string) => Buffer | undefined
  readonly texts: (key: string) => readonly string[]
  readonly map: (key: string) => Fields | undefined
  readonly maps: (key: string) => readonly Fields[]
  readonly keys: () => readonly string[]
  readonly json: (key: string) => Json | undefined
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function fieldsOf(object: JsonObject, file: string, at: Path = []): Fields {
  const wrong = (path: Path, right: string) =>
    new ClusterProblem('kubeconfig', `${file}: ${formatPath(path)} is not ${right}`)
  const json = (key: string) =>
    Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined
  const asText = (value: Json | undefined, path: Path): string => {
    if (value === undefined) return ''
    // A number such as 1234 too: kubectl decodes YAML by way of JSON, and refuses it.
    if (typeof value !== 'string') throw wrong(path, 'text')
    return value
  }
  const asMap = (value: Json | undefined, path: Path): Fields => {
    if (!isObject(value)) throw wrong(path, 'a map')
    return fieldsOf(value, file, path)
  }
  const list = (key: string): readonly Json[] => {
    const value = json(key)
    if (value === undefined) return []
    if (!isList(value)) throw wrong([...at, key], 'a list')
    return value
  }
  return {
    json,
    text: (key) => asText(json(key), [...at, key]),
    flag: (key) => {
      const value = json(key) ?? false
      if (typeof value !== 'boolean') throw wrong([...at, key], 'true or false')
      return value
    },
    bytes: (key) => {
      const text = asText(json(key), [...at, key]).replace(/[\r\n]/g, '')
      if (!base64.test(text)) throw wrong([...at, key], 'base64')
      return text === '' ? undefined : Buffer.from(text, 'base64')
    },
    texts: (key) => list(key).map((item, index) => asText(item, [...at, key, index])),
    map: (key) => {
      const value = json(key)
      return value === undefined ? undefined : asMap(value, [...at, key])
    },
    maps: (key) => list(key).map((item, index) => asMap(item, [...at, key, index])),
    keys: () => Object.keys(object),
  }
}
