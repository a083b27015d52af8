// Fields of a profile.
import { joinRows } from '../../components/kubeadm.ts'
import { containerdTables } from '../../components/containerd.ts'
import { configTables } from '../../components/index.ts'
import type { ConfigRow } from '../../components/config-table.ts'
import { needWords } from '../../model/need.ts'
import { formatPath, parsePath } from '../../model/path.ts'
import { fieldOf, fields, type Field } from '../../profile/catalogue.ts'
import { fieldNeed } from '../../profile/field-needs.ts'
import { moved } from '../../profile/renamed.ts'
import { rules } from '../../rules/index.ts'
import { factsOf, unique, type Topic } from './topic.ts'

const nameOf = ({ path }: Field) => path.join('.')

export const fieldTopic: Topic = {
  subjects: () => fields.map((field) => ({ name: nameOf(field), note: field.what })),
  explain: (name) => {
    const now = Object.hasOwn(moved, name) ? formatPath(moved[name] ?? []) : fieldAround(name)
    return fields
      .filter((field) => nameOf(field) === now)
      .map((field) => {
        const sets = settings.filter(({ row }) => row.field === now)
        return {
          kind: field.group ? 'group of fields' : 'field',
          name: now,
          what: [field.what, field.why].filter(Boolean).join(' '),
          facts: factsOf({
            ...(field.group ? groupFacts(field) : valueFacts(field)),
            'was called': Object.hasOwn(moved, name) ? name : undefined,
            'asked by': rules
              .filter(({ asks = [] }) => asks.includes(now))
              .map(({ id }) => id)
              .join(', '),
            decides: unique(sets.map(({ program, row }) => `${program} ${row.key}`)).join(', '),
          }),
          see: unique(sets.map(({ row }) => row.see)),
        }
      })
  },
}

/** `kubelet.labels` for `kubelet.labels.zone`; keys of `config` are in the topics of the programs. */
function fieldAround(name: string): string {
  const path = parsePath(name) ?? []
  const field = fieldOf(path)
  const isConfig = configTables.some(({ home }) => path[0] === home && path[1] === 'config')
  return field && !isConfig ? nameOf(field) : name
}

/** Every key of a program's file, with the field that decides it. */
const settings: readonly { readonly program: string; readonly row: ConfigRow }[] = [
  ...configTables.map(({ name, rows }) => ({ program: name, rows })),
  ...Object.values(containerdTables).map(({ rows }) => ({ program: 'containerd', rows })),
  { program: 'kubeadm', rows: joinRows },
].flatMap(({ program, rows }) => rows.map((row) => ({ program, row })))

function groupFacts({ path }: Field) {
  const within = fields.filter(
    (field) =>
      field.path.length === path.length + 1 && path.every((step, at) => field.path[at] === step),
  )
  return { fields: within.map((field) => field.path.at(-1)).join(', ') }
}

function valueFacts({ path, kind, fallback, derived, required, when, example }: Field) {
  return {
    value: kind,
    default:
      fallback === undefined
        ? (derived ?? (required ? 'none, required' : 'none'))
        : JSON.stringify(fallback),
    applies: when,
    'a change needs': needWords[fieldNeed(path) ?? 'nothing'],
    example: example === undefined ? undefined : JSON.stringify(example),
  }
}
