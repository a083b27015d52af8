// The keys of a configuration document with their fields, and the versions that have a field.
import tables from '#tables'
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { ConfigField, MinorTables } from '../model/config-rows.ts'
import type { Path } from '../model/path.ts'
import { minorsWithTables, tablesFor } from './minors.ts'

/** The configuration of one program. */
export interface FieldTable {
  readonly program: 'kubelet' | 'kube-proxy'
}

/** KubeletConfiguration (kubelet.config.k8s.io/v1beta1). */
export const kubeletFields: FieldTable = { program: 'kubelet' }

/** KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1). */
export const kubeProxyFields: FieldTable = { program: 'kube-proxy' }

type Fields = MinorTables['kubelet']

function own(fields: Fields, key: string): ConfigField | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** What the answers of the programs say otherwise than holds on a node. */
function onNodes(key: string, field: ConfigField): ConfigField {
  // Its Go type reads whole nanoseconds too, and reflection names the first:
  // https://github.com/kubernetes/component-base/blob/master/logs/api/v1/types.go (TimeOrMetaDuration)
  if (key === 'logging.flushFrequency' && field.type === 'duration')
    return { ...field, type: 'duration or nanoseconds' }
  // Before 1.30 the kubelet makes them absolute below the folder it runs in, which was that of the machine asked.
  if (key === 'resolvConf') return { ...field, default: '/etc/resolv.conf' }
  if (key === 'volumePluginDir')
    return { ...field, default: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/' }
  return field
}

/** A field as a version has it; `undefined` where it lacks the field. */
export function fieldIn(
  { program }: FieldTable,
  key: string,
  version: string,
): ConfigField | undefined {
  const field = own(tablesFor(version)[program], key)
  return field && onNodes(key, field)
}

/** A field of any minor, as the newest has it, with the minors that lack it. */
export interface FieldOfMinors extends ConfigField {
  /** First minor that it came with; absent where the oldest has it. */
  readonly added?: string
  /** First minor without it; absent where the newest has it. */
  readonly removed?: string
}

export function fieldOfMinors(table: FieldTable, key: string): FieldOfMinors | undefined {
  const having = minorsWithTables.filter((minor) => fieldIn(table, key, minor))
  const [first] = having
  const last = having.at(-1)
  const field = last && fieldIn(table, key, last)
  if (first === undefined || last === undefined || !field) return undefined
  const removed = minorsWithTables[minorsWithTables.indexOf(last) + 1]
  return {
    ...field,
    ...(first !== minorsWithTables[0] && { added: first }),
    ...(removed !== undefined && { removed }),
  }
}

/** The names of the fields of every minor. */
export function fieldNames({ program }: FieldTable): readonly string[] {
  return [...new Set(minorsWithTables.flatMap((minor) => Object.keys(tablesFor(minor)[program])))]
}

/** Fields without an effect on Windows, and so is everything below them. */
export function isLinuxOnly({ program }: FieldTable, key: string): boolean {
  return tables['linux-only-fields'][program].includes(key)
}

export interface WrittenField {
  /** As the tables name it: `registerWithTaints[].key`. */
  readonly key: string
  readonly path: Path
  /** Absent where the version lacks it. */
  readonly field: ConfigField | undefined
}

/** Every key of a document; what is below a key that no minor knows is not listed. */
export function writtenFields(
  document: JsonObject,
  table: FieldTable,
  version: string,
  path: Path = [],
  prefix = '',
): readonly WrittenField[] {
  return Object.entries(document).flatMap(([name, value]) => {
    const key = `${prefix}${name}`
    const field = fieldIn(table, key, version)
    const here = { key, path: [...path, name], field }
    const type = (field ?? fieldOfMinors(table, key))?.type
    if (type === 'object' && isObject(value))
      return [here, ...writtenFields(value, table, version, here.path, `${key}.`)]
    if (type !== 'list of objects' || !isList(value)) return [here]
    const items = value.flatMap((item, at) =>
      isObject(item) ? writtenFields(item, table, version, [...here.path, at], `${key}[].`) : [],
    )
    return [here, ...items]
  })
}
