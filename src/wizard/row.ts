// A row of the table of questions; what it does not set comes from the table of fields.
import type { ErrorCheck } from '../check.ts'
import type { CniName } from '../model/plugin-settings.ts'
import type { NetworkMode } from '../model/spec.ts'
import type { Choice } from './question.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { text, codecOf, type TextCodec } from './text-codec.ts'

/** A choice before the rules have checked it. */
export type Offer = Omit<Choice, 'recommended' | 'cannot'>

export interface Row {
  /** Also the name of its flag. */
  readonly id: string
  /** `basics` are always asked; the others where `Customize` selects the group, or an error names the field. */
  readonly group: string
  /** The field that it sets. */
  readonly path: readonly string[]
  /** The label of the question: a noun phrase, or a yes/no question. */
  readonly title: string
  /** Where the value is found, for the screen. */
  readonly hint?: string
  /** What can be typed or pasted, for the screen. */
  readonly typing?: string
  /** Choices that help lists, where that is not all of the field's. */
  readonly listed?: readonly string[]
  /** Best first. */
  readonly offers?: (tried: ErrorCheck) => readonly Offer[]
  readonly columns?: readonly string[]
  /** Subject of the decision that applies without an answer. */
  readonly decision?: string
  /** Where the answer is typed in another form than that of the field. */
  readonly codec?: TextCodec
  /** A common answer, where the example of the field shows more than that. */
  readonly example?: string
  /** What applies where it is skipped, if neither the field nor a decision has a text for it. */
  readonly fallbackText?: string
  /** Why a value is required, where an error names the empty field. */
  readonly required?: string
  /** The question that the same text answers, too, if it is valid there. */
  readonly alsoAnswers?: string
  /** Asked where an error names its field, and counted with the question before it. */
  readonly isSameStep?: boolean
  /** The plugin and the mode that it is about. */
  readonly cni?: CniName
  readonly mode?: NetworkMode
}

/** A row as the tables have it: with the dotted name of its field, and without its group. */
export interface DeclaredRow extends Omit<Row, 'group' | 'path'> {
  readonly field: string
}

export function rowsOf(group: string, declared: readonly DeclaredRow[]): readonly Row[] {
  return declared.map(({ field, ...row }) => ({ ...row, group, path: field.split('.') }))
}

export function codecFor({ path, codec, offers }: Row): TextCodec {
  const field = fieldOf(path)
  const own = codec ?? (field ? codecOf(field.form) : text)
  return offers ? { ...own, kind: 'choice' } : own
}
