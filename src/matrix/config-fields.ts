// The keys of KubeletConfiguration (v1beta1) and KubeProxyConfiguration (v1alpha1), and the versions that have a field.
import tables from '#tables'
import { isList, isObject, type JsonObject, ownOf } from '../model/json.ts'
import type { ConfigField } from '../model/config-rows.ts'
import type { Path } from '../model/path.ts'
import type { KubeProgram } from './flags.ts'
import { minorsWithTables, tablesFor } from './minors.ts'

/** Corrections where the recorded answers of the programs differ from a node. */
function onNodes(key: string, field: ConfigField): ConfigField {
  // Its Go type also accepts whole nanoseconds, but reflection shows only the first type:
  // https://github.com/kubernetes/component-base/blob/master/logs/api/v1/types.go (TimeOrMetaDuration)
  if (key === 'logging.flushFrequency' && field.type === 'duration')
    return { ...field, type: 'duration or nanoseconds' }
  // Before 1.30 the kubelet makes them absolute in its working folder, which differs on the recording machine.
  if (key === 'resolvConf') return { ...field, default: '/etc/resolv.conf' }
  if (key === 'volumePluginDir')
    return { ...field, default: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/' }
  return field
}

/** A field in a version; `undefined` if the version does not have it. */
export function fieldIn(
  program: KubeProgram,
  key: string,
  version: string,
): ConfigField | undefined {
  const field = ownOf(tablesFor(version)[program], key)
  return field && onNodes(key, field)
}

/** A field of any minor, in its newest form. */
export function newestField(program: KubeProgram, key: string): ConfigField | undefined {
  const last = minorsWithTables.findLast((minor) => fieldIn(program, key, minor))
  return last === undefined ? undefined : fieldIn(program, key, last)
}

/** The same, with the minors that do not have it. */
export interface FieldOfMinors extends ConfigField {
  /** The minor that added it; absent if the oldest minor has it. */
  readonly added?: string
  /** The minor that removed it; absent if the newest minor has it. */
  readonly removed?: string
}

export function fieldOfMinors(program: KubeProgram, key: string): FieldOfMinors | undefined {
  const having = minorsWithTables.filter((minor) => fieldIn(program, key, minor))
  const [first] = having
  const last = having.at(-1)
  const field = last && fieldIn(program, key, last)
  if (first === undefined || last === undefined || !field) return undefined
  const removed = minorsWithTables[minorsWithTables.indexOf(last) + 1]
  return {
    ...field,
    ...(first !== minorsWithTables[0] && { added: first }),
    ...(removed !== undefined && { removed }),
  }
}

/** The names of the fields of every minor. */
export function fieldNames(program: KubeProgram): readonly string[] {
  return [...new Set(minorsWithTables.flatMap((minor) => Object.keys(tablesFor(minor)[program])))]
}

/** Fields without an effect on Windows, including all fields below them. */
export function isLinuxOnly(program: KubeProgram, key: string): boolean {
  return tables['linux-only-fields'][program].includes(key)
}

export interface WrittenField {
  /** As the tables name it: `registerWithTaints[].key`. */
  readonly key: string
  readonly path: Path
  /** Absent if the version does not have it. */
  readonly field: ConfigField | undefined
}

/** Every key of a document, except keys below an unknown key. */
export function writtenFields(
  document: JsonObject,
  program: KubeProgram,
  version: string,
  path: Path = [],
  prefix = '',
): readonly WrittenField[] {
  return Object.entries(document).flatMap(([name, value]) => {
    const key = `${prefix}${name}`
    const field = fieldIn(program, key, version)
    const here = { key, path: [...path, name], field }
    const type = (field ?? fieldOfMinors(program, key))?.type
    if (type === 'object' && isObject(value))
      return [here, ...writtenFields(value, program, version, here.path, `${key}.`)]
    if (type !== 'list of objects' || !isList(value)) return [here]
    const items = value.flatMap((item, at) =>
      isObject(item) ? writtenFields(item, program, version, [...here.path, at], `${key}[].`) : [],
    )
    return [here, ...items]
  })
}
