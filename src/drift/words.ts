// Words: what is said of a difference in a bundle, by whose change it is.
import type { Owner } from '../model/drift.ts'
import type { Json } from '../model/json.ts'
import { formatPath, type Path } from '../model/path.ts'
import { shown } from './shown.ts'

interface Sides {
  readonly name: string
  readonly was: Json | undefined
  readonly should: Json | undefined
}

/** What the other side says, to follow "and". */
const others: Readonly<Record<Owner, (should: string) => string>> = {
  ours: (should) => `the profile says ${should} today`,
  theirs: (should) => `${should} was written`,
  both: (should) => `the profile says ${should} today`,
}
const nothing: Readonly<Record<Owner, string>> = {
  ours: 'the profile no longer writes it',
  theirs: 'it was not written',
  both: 'the profile does not write it',
}

export function fieldMessage({ name, was, should }: Sides, owner: Owner): string {
  const is = was === undefined ? 'is not there' : `is ${shown(was)}`
  const other = should === undefined ? nothing[owner] : others[owner](shown(should))
  const besides = owner === 'both' ? '; the file was edited, too' : ''
  return `${name} ${is}, and ${other}${besides}`
}

export function fieldRemedy(owner: Owner, field: Path | undefined): string {
  if (owner === 'ours') return 'Render the bundle again.'
  const keep = field === undefined ? '' : `, or let ${formatPath(field)} say it`
  return `Render the bundle again with --force${keep}.`
}

interface Kind {
  readonly id: string
  readonly message: string
  readonly remedy: string
}

const again = 'Render the bundle again.'
const byForce = 'Render the bundle again with --force, or keep what it says in the profile.'

/** Of a whole file that is there: prose, or a program. */
export const textKinds: Readonly<Record<Owner, Kind>> = {
  ours: {
    id: 'file-outdated',
    message: 'is not what the profile and this winnode write today',
    remedy: again,
  },
  theirs: { id: 'file-edited', message: 'was edited', remedy: byForce },
  both: {
    id: 'file-edited',
    message: 'was edited, and the profile writes something else today',
    remedy: byForce,
  },
}

/** Of a file that is not there. */
export const absentKinds: Readonly<Record<Owner, Kind>> = {
  ours: { id: 'file-outdated', message: 'is new: this bundle was made without it', remedy: again },
  theirs: { id: 'file-missing', message: 'is missing', remedy: again },
  both: { id: 'file-missing', message: 'is missing', remedy: again },
}

/** Of a file that the profile no longer writes. */
export const leftOverKinds: Readonly<Record<Owner, Kind>> = {
  ours: { id: 'file-outdated', message: 'is no longer part of the bundle', remedy: again },
  theirs: {
    id: 'file-edited',
    message: 'is no longer part of the bundle, and was edited',
    remedy: 'Look at what it says, and remove it.',
  },
  both: {
    id: 'file-edited',
    message: 'is no longer part of the bundle, and was edited',
    remedy: 'Look at what it says, and remove it.',
  },
}

export const fieldIds: Readonly<Record<Owner, string>> = {
  ours: 'field-outdated',
  theirs: 'field-edited',
  both: 'field-edited',
}
