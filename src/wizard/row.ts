// A row of the table of questions; what it does not set comes from the table of fields.
import type { ErrorCheck } from '../check.ts'
import type { Choice, Topic } from './question.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { text, codecOf, type TextCodec } from './text-codec.ts'

/** A choice before the rules have checked it. */
export type Offer = Omit<Choice, 'recommended' | 'cannot'>

export interface Row {
  readonly id: string
  readonly topic: Topic
  /** The field that it sets. */
  readonly path: readonly string[]
  /** The label of the question: a noun phrase, or a yes/no question. */
  readonly title: string
  /** `where it matters`: an error or a warning names its field, or the cluster has another value. */
  readonly ask: 'always' | 'where it matters'
  /** Best first. */
  readonly offers?: (tried: ErrorCheck) => readonly Offer[]
  readonly columns?: readonly string[]
  /** Subject of the decision that applies without an answer. */
  readonly decision?: string
  /** Where the answer is typed in another form than that of the field. */
  readonly codec?: TextCodec
  /** A common answer, where the example of the field shows more than that. */
  readonly example?: string
  /** What applies where it is skipped, if neither the field nor a decision tells. */
  readonly fallbackText?: string
}

export function topicRows(topic: Topic, rows: readonly Omit<Row, 'topic'>[]): readonly Row[] {
  return rows.map((row) => ({ ...row, topic }))
}

export function codecFor({ path, codec, offers }: Row): TextCodec {
  const field = fieldOf(path)
  const own = codec ?? (field ? codecOf(field.form) : text)
  return offers ? { ...own, kind: 'choice' } : own
}
