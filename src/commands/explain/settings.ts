// Keys of the configuration files of the kubelet, kube-proxy, containerd and kubeadm.
import {
  type ConfigRow,
  type ConfigTable,
  stepsOf,
  valueOf,
} from '../../components/config-table.ts'
import { containerdTables } from '../../components/containerd.ts'
import { configTables } from '../../components/index.ts'
import { joinRows, joinSettings } from '../../components/kubeadm.ts'
import { fieldIn, fieldNames, isLinuxOnly, newestField } from '../../matrix/config-fields.ts'
import { historyOf, removedIn, spanText } from '../../matrix/history.ts'
import type { ConfigField } from '../../model/config-rows.ts'
import type { Facts } from '../../model/facts.ts'
import { groupBy } from '../../model/group-by.ts'
import { isSameJson } from '../../model/json.ts'
import type { Settings } from '../../model/setting.ts'
import type { Explanation } from '../../present/explanation.ts'
import { fields } from '../../profile/catalogue.ts'
import { factsOf, unique, type Scope, type Topic } from './topic.ts'

/** Every key that the program has, with its type and default in each minor. */
const topicOfTable = (table: ConfigTable): Topic => ({
  subjects: () =>
    fieldNames(table.name).map((name) => ({ name, note: `field of ${table.name}’s file` })),
  explain: (typed, scope) => {
    const key = withoutHome(typed, table)
    return newestField(table.name, key) ? [fieldOfProgram(table, key, scope)] : []
  },
})

export const settingTopics: readonly Topic[] = configTables.map(topicOfTable)

/** `kubelet.config.failSwapOn` of a profile is `failSwapOn` of the file, and so is `kubelet.failSwapOn`. */
function withoutHome(name: string, { home }: ConfigTable): string {
  const isField = fields.some(({ path }) => path.join('.') === name)
  const prefix = [`${home}.config.`, `${home}.`].find((one) => name.startsWith(one) && !isField)
  return name.slice(prefix?.length ?? 0)
}

function fieldOfProgram(table: ConfigTable, key: string, { version, example }: Scope): Explanation {
  const history = historyOf((minor) => fieldIn(table.name, key, minor))
  const row = table.rows.find((one) => withoutItems(one.key) === withoutItems(key))
  const config = `${table.home}.config.${key}`
  return {
    kind: `${table.name} field`,
    name: key,
    what: `A field of ${table.name}’s configuration file, as its Windows build has it.`,
    facts: [
      ...factsOf({ [`in ${version}`]: shapeText(fieldIn(table.name, key, version)) }),
      ...(history.length > 1 || removedIn(history) !== undefined
        ? history.map((span) => ({ name: spanText(span), text: shapeText(span.row) }))
        : []),
      ...factsOf({
        'known in': history.length === 1 && history[0] ? spanText(history[0]) : undefined,
        'removed in': removedIn(history),
        Windows: isLinuxOnly(table.name, key) ? 'no effect: for Linux only' : undefined,
        ...(row ? writtenFacts(row, example().facts) : { winnode: 'does not write it' }),
        'set by': row ? (row.field ?? (isFree(row) ? config : undefined)) : config,
      }),
    ],
    see: [row?.see ?? table.see],
  }
}

/** What winnode writes, and why. */
function writtenFacts(row: ConfigRow, facts: Facts) {
  const value = valueOf(row, facts)
  return {
    winnode:
      row.fact !== undefined
        ? `writes the node’s ${row.fact}`
        : value === undefined
          ? undefined
          : `writes ${JSON.stringify(value)}`,
    why: row.why,
    fixed: row.fixed,
  }
}

const isFree = ({ fact, fixed }: ConfigRow) => fact === undefined && fixed === undefined

function shapeText(field: ConfigField | undefined): string {
  if (!field) return 'not available'
  const { type, default: value, nullable } = field
  const fallback = value === undefined ? 'no default' : `default ${JSON.stringify(value)}`
  return `${type}, ${fallback}${nullable ? ' if null or absent' : ''}`
}

function withoutItems(key: string): string {
  return key.replace(/(?:\[\]|\.\*)$/, '')
}

interface Written {
  readonly program: string
  /** What has the key, where not every file of the program has. */
  readonly format?: string
  readonly row: ConfigRow
  readonly settings: Settings
}

/** Programs whose keys are known only where winnode writes them. */
const written: readonly Written[] = [
  ...Object.entries(containerdTables).flatMap(([format, { rows, settings, head }]) =>
    rows.map((row) => ({ program: 'containerd', format: `${format} (${head})`, row, settings })),
  ),
  ...joinRows.map((row) => ({ program: 'kubeadm', row, settings: joinSettings })),
]

/** A key by its end, as `cni.bin_dirs` or `bin_dirs`: its beginning differs by the version of the format. */
export const writtenTopic: Topic = {
  subjects: () =>
    unique(written.map(({ row }) => row.at.at(-1))).map((name) => ({
      name,
      note: `key of the file of ${programsWith(name).join(' and ')}`,
    })),
  explain: (name, { example }) => {
    const steps = stepsOf(name)
    const found = written.filter(({ row }) => isSameJson(row.at.slice(-steps.length), steps))
    const groups = groupBy(found, ({ program, row }) => `${program} ${row.key}`)
    return [...groups.values()].flatMap((same) => {
      const [one] = same
      if (!one) return []
      const { program, row, settings } = one
      return [
        {
          kind: `${program} key`,
          name: row.key,
          what: row.why,
          facts: factsOf({
            format: unique(same.map(({ format }) => format)).join(' '),
            winnode: writtenFacts(row, example().facts).winnode,
            fixed: row.fixed,
            'set by': row.field,
          }),
          see: unique([row.see ?? settings[row.key]?.see]),
        },
      ]
    })
  },
}

function programsWith(name: string): readonly string[] {
  return unique(written.filter(({ row }) => row.at.at(-1) === name).map(({ program }) => program))
}
