// Messages and remedies for a difference in a bundle, by its owner.
import type { DriftId } from '../model/drift-kinds.ts'
import type { Owner } from '../model/drift.ts'
import { formatPath, type Path } from '../model/path.ts'
import type { Leaf } from './compare.ts'
import { formatValue } from './format-value.ts'

const notWritten: Readonly<Record<Owner, string>> = {
  ours: 'the profile no longer sets it',
  theirs: 'it was not rendered',
  both: 'the profile does not set it',
}

export function fieldMessage(
  name: string,
  { was, should }: Pick<Leaf, 'was' | 'should'>,
  owner: Owner,
): string {
  const is = was === undefined ? 'missing' : `is ${formatValue(was, should)}`
  const expected = should === undefined ? notWritten[owner] : `expected ${formatValue(should, was)}`
  const besides = owner === 'both' ? '; also modified by hand' : ''
  return `${name}: ${is}, ${expected}${besides}`
}

export function fieldRemedy(owner: Owner, field: Path | undefined): string {
  if (owner === 'ours') return 'Render it again.'
  const keep = field === undefined ? '' : `, or set ${formatPath(field)} to this value`
  return `Render it again with --force${keep}.`
}

interface Kind {
  readonly id: DriftId
  readonly message: string
  readonly remedy: string
}

const again = 'Render it again.'
const byForce = 'Render it again with --force, or add the change to the profile.'

/** For a whole file that exists: prose, or a program. */
export const textKinds: Readonly<Record<Owner, Kind>> = {
  ours: {
    id: 'file-outdated',
    message: 'is outdated: the profile or winnode changed',
    remedy: again,
  },
  theirs: { id: 'file-edited', message: 'was modified by hand', remedy: byForce },
  both: {
    id: 'file-edited',
    message: 'was modified by hand, and the profile changed too',
    remedy: byForce,
  },
}

/** For a missing file. */
export const absentKinds: Readonly<Record<Owner, Kind>> = {
  ours: {
    id: 'file-outdated',
    message: 'is missing; the profile adds it',
    remedy: again,
  },
  theirs: { id: 'file-missing', message: 'is missing', remedy: again },
  both: { id: 'file-missing', message: 'is missing', remedy: again },
}

const modifiedLeftOver: Kind = {
  id: 'file-edited',
  message: 'is no longer part of the bundle, and was modified by hand',
  remedy: 'Check its content, and remove it.',
}

/** For a file that the profile no longer renders. */
export const leftOverKinds: Readonly<Record<Owner, Kind>> = {
  ours: { id: 'file-outdated', message: 'is no longer part of the bundle', remedy: again },
  theirs: modifiedLeftOver,
  both: modifiedLeftOver,
}

export const fieldIds: Readonly<Record<Owner, DriftId>> = {
  ours: 'field-outdated',
  theirs: 'field-edited',
  both: 'field-edited',
}
