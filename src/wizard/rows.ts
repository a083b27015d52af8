// The table of questions, in the order of asking.
import { isEqual } from './equal.ts'
import type { Path } from '../model/path.ts'
import { fields, type Field } from '../profile/catalogue.ts'
import type { Row } from './row.ts'
import { cluster } from './rows/cluster.ts'
import { machine, pods } from './rows/machine.ts'
import { network, versions, windows } from './rows/node.ts'
import { supply } from './rows/supply.ts'

export const rows: readonly Row[] = [
  ...cluster,
  ...windows,
  ...versions,
  ...network,
  ...machine,
  ...pods,
  ...supply,
]

/** Fields of the file, not of the node. */
const header: readonly string[] = ['apiVersion', 'kind', 'extends']

const settable = fields.filter(({ group, path }) => !group && !header.includes(path.join('.')))

/** Menu entry for the optional fields. */
export const anotherField: Row = {
  id: 'another-field',
  topic: 'other',
  path: [],
  title: 'Set any other field?',
  ask: 'always',
  offers: () => [
    { value: '', name: 'no' },
    ...settable
      .filter(({ path }) => rowAt(path)?.ask !== 'always')
      .map(({ path, what }) => ({ value: path.join('.'), name: path.join('.'), note: what })),
  ],
}

/** By id, or by the dotted path of its field. */
export function rowOf(id: string): Row | undefined {
  return [...rows, anotherField].find((row) => row.id === id) ?? rowAt(id.split('.'))
}

/** The question about a field, with or without a row of its own. */
export function rowAt(path: Path): Row | undefined {
  const own = rows.find((row) => isEqual(row.path, path))
  const field = settable.find((one) => isEqual(one.path, path))
  return own ?? (field && rowForField(field))
}

function rowForField({ path }: Field): Row {
  const name = path.join('.')
  return {
    id: name,
    topic: 'other',
    path,
    title: name,
    ask: 'where it matters',
  }
}
