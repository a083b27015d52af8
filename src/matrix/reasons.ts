// Reasons: why the settings and flags that winnode writes have their values, where the reason alone is known.
import tables from '#tables'
import { explain, type Settings } from '../model/setting.ts'

const { subjects } = tables.reasons
type Subject = keyof typeof subjects

const known: Partial<Record<Subject, Settings>> = {}

/** The same object at each call: docs/files.md shows files with the same reasons once. */
export function reasonsFor(subject: Subject): Settings {
  const { see, rows } = subjects[subject]
  return (known[subject] ??= explain(see, rows))
}
