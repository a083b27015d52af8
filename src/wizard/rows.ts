// The table of questions, in the order of asking.
import { isEqual } from './equal.ts'
import type { Path } from '../model/path.ts'
import { fields, type Field } from '../profile/catalogue.ts'
import type { Row } from './row.ts'
import { basics } from './rows/basics.ts'
import { allFields, groupRows, groups } from './rows/groups.ts'

export const rows: readonly Row[] = [...basics, ...groupRows]

/** Fields of the file, not of the node. */
const header: readonly string[] = ['apiVersion', 'kind', 'extends', 'facts']

const settable = fields.filter(({ group, path }) => !group && !header.includes(path.join('.')))

export const review = 'review'

/** What to do after the seven questions: a group to ask, or the end. */
export const menu: Row = {
  id: 'customize',
  group: '',
  path: [],
  title: 'Review and finish, or customize',
  fallbackText: 'review and finish',
  offers: () => [
    { value: review, name: 'Review and finish' },
    ...groups.map(({ group, note }) => ({ value: group, name: `Customize ${group}`, note })),
  ],
}

/** Selects any field. */
const anyField: Row = {
  id: 'any-field',
  group: '',
  path: [],
  title: 'Field to set',
  offers: () =>
    settable.map(({ path, what }) => ({
      value: path.join('.'),
      name: path.join('.'),
      note: what,
    })),
}

/** The questions to ask after an answer to one of these two. */
export function questionsAfter(text: string): readonly string[] {
  if (text === allFields) return [anyField.id]
  const own = groupRows.filter(({ group }) => group === text)
  const asked = own.length > 0 ? own : [rowAt(text.split('.'))]
  return asked.flatMap((row) => row?.id ?? [])
}

/** What `rowOf` finds, with the path of the field. */
export const names: ReadonlyMap<string, Path> = new Map([
  ...settable.map(({ path }) => [path.join('.'), path] as const),
  ...rows.map(({ id, path }) => [id, path] as const),
])

/** By id, or by the dotted path of its field. */
export function rowOf(id: string): Row | undefined {
  return [...rows, menu, anyField].find((row) => row.id === id) ?? rowAt(id.split('.'))
}

/** The question about a field; a field without a row gets a plain one. */
export function rowAt(path: Path): Row | undefined {
  const own = rows.find((row) => isEqual(row.path, path))
  const field = settable.find((one) => isEqual(one.path, path))
  return own ?? (field && rowForField(field))
}

function rowForField({ path }: Field): Row {
  const name = path.join('.')
  return { id: name, group: allFields, path, title: name }
}
