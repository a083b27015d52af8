// Which lists of a document are ordered, and how its values are parsed.
import { isObject, type Json, toText } from '../model/json.ts'
import { newestField } from '../matrix/config-fields.ts'
import type { KubeProgram } from '../matrix/flags.ts'
import type { ConfigField } from '../model/config-rows.ts'
import type { Meaning } from './equality.ts'

export type ListShape =
  /** Item by item, in their order. */
  | { readonly kind: 'ordered' }
  /** In any order; an item is identified by its value. */
  | { readonly kind: 'set' }
  /** In any order unless `order` is set; an item is identified by a name. */
  | { readonly kind: 'named'; readonly name: (item: Json) => string; readonly order?: true }

/** `key` is the path as the tables write it: `registerWithTaints[]`, `evictionHard.*`. */
export interface Shape {
  readonly list: (key: string, items: readonly Json[]) => ListShape
  readonly meaning: (key: string) => Meaning
}

const ordered: ListShape = { kind: 'ordered' }
const set: ListShape = { kind: 'set' }

/** The properties that identify an item. */
const by =
  (...parts: readonly string[]) =>
  (item: Json): string =>
    isObject(item) ? parts.map((part) => toText(item[part] ?? null)).join(':') : toText(item)

function named(...parts: readonly string[]): ListShape {
  return { kind: 'named', name: by(...parts) }
}

type Lists = Readonly<Record<string, ListShape>>

function shapeOf(lists: Lists, program?: KubeProgram): Shape {
  return {
    list: (key) => lists[key] ?? ordered,
    meaning: (key) => {
      if (amounts.test(key)) return 'quantity'
      const field = program && fieldAround(key, program)
      return field?.type.startsWith('duration') ? 'duration' : 'text'
    },
  }
}

/** Strings in YAML, but quantities for the kubelet: types.go of KubeletConfiguration, `resource.ParseQuantity`. */
const amounts =
  /^(?:kubeReserved|systemReserved|eviction(?:Hard|Soft|MinimumReclaim)|containerLogMaxSize)\b/

/** The row of a key or of the map around it: eviction signals contain dots. */
function fieldAround(key: string, program: KubeProgram): ConfigField | undefined {
  const field = newestField(program, key)
  const end = key.lastIndexOf('.')
  return field ?? (end < 0 ? undefined : fieldAround(key.slice(0, end), program))
}

/** Flags are identified by name at any position; other arguments by their value. */
const argument: ListShape = {
  kind: 'named',
  name: (item) => toText(isObject(item) ? (item['text'] ?? null) : item).replace(/=[^]*$/, ''),
}

const shapes: readonly (readonly [file: RegExp, shape: Shape])[] = [
  [
    /^node\.json$/,
    shapeOf({
      facts: named('name'),
      'facts[].with': named('name'),
      preflight: named('id'),
      'preflight[].phases': set,
      'preflight[].with': named('name'),
      'preflight[].with[].value': set,
      health: named('id'),
      'health[].with': named('name'),
      'health[].with[].value': set,
      steps: { kind: 'named', name: by('id'), order: true },
      'steps[].after': set,
      'steps[].command': argument,
      'steps[].dependsOn': set,
      'steps[].environment': named('name'),
      'steps[].from': set,
      'steps[].members': named('path'),
      'steps[].derive': named('pointer'),
      'steps[].clears': set,
      'steps[].reads': set,
      files: named('path'),
    }),
  ],
  [/^bom\.json$/, shapeOf({ components: named('id'), 'components[].neededBy': set })],
  [
    /^files\/kubelet\/config\.json$/,
    shapeOf(
      {
        registerWithTaints: named('key', 'effect'),
        tlsCipherSuites: set,
        enforceNodeAllocatable: set,
        allowedUnsafeSysctls: set,
        reservedMemory: set,
      },
      'kubelet',
    ),
  ],
  [/^files\/kube-proxy\/config\.json$/, shapeOf({}, 'kube-proxy')],
  [
    /^cluster\/.*\.ya?ml$/,
    shapeOf({
      'scheduling.tolerations': named('key', 'effect'),
      rules: set,
      subjects: named('kind', 'namespace', 'name'),
      'rules[].apiGroups': set,
      'rules[].resources': set,
      'rules[].verbs': set,
    }),
  ],
  [/config\.toml$/, shapeOf({})],
]

const plain = shapeOf({})

export function shapeOfFile(path: string): Shape {
  return shapes.find(([file]) => file.test(path))?.[1] ?? plain
}
