// Row: one question of the table; what it does not say comes from the table of fields.
import type { Tried } from '../check.ts'
import type { Choice, Topic } from './question.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { text, writingOf, type Writing } from './writing.ts'

/** A choice before it is judged. */
export type Offer = Omit<Choice, 'recommended' | 'cannot'>

export interface Row {
  readonly id: string
  readonly topic: Topic
  /** The field that it sets. */
  readonly path: readonly string[]
  /** A question, as one sentence. */
  readonly title: string
  /**
   * Always, or only where it matters: an error or a warning names its field, or the cluster says
   * something else than would stand there.
   */
  readonly ask: 'always' | 'where it matters'
  /** Best first. */
  readonly offers?: (tried: Tried) => readonly Offer[]
  readonly columns?: readonly string[]
  /** The subject of the decision that is made where nobody answers. */
  readonly decision?: string
  /** Where people write it in another form than the field. */
  readonly writing?: Writing
  /** What people type most, where the example of the field says more. */
  readonly example?: string
  /** What happens when it is skipped, where neither the field nor a decision says. */
  readonly without?: string
}

export function topicRows(topic: Topic, rows: readonly Omit<Row, 'topic'>[]): readonly Row[] {
  return rows.map((row) => ({ ...row, topic }))
}

export function writingFor({ path, writing, offers }: Row): Writing {
  const field = fieldOf(path)
  const own = writing ?? (field ? writingOf(field.form) : text)
  return offers ? { ...own, kind: 'choice' } : own
}
