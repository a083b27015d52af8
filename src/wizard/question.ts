// What the wizard's engine gives to prompts and flags: questions, and the outcome.
import type { Compiled } from '../compile.ts'
import type { JsonObject } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import type { Assumed } from '../profile/assumed.ts'

/**
 * How an answer is typed; every answer is text, and `check` validates it. A list is comma-separated; pairs are
 * comma-separated `key=value`; a confirmation is `yes` or `no`; a block is text of several lines.
 */
export type Kind = 'choice' | 'text' | 'list' | 'pairs' | 'confirm' | 'block'

/** An answer on one line; a block as its number of lines. */
export function onOneLine(text: string): string {
  const lines = text.trimEnd().split('\n').length
  return lines > 1 ? `${lines} lines` : text
}

export interface Choice {
  /** The answer, as `answer` and the flag take it. */
  readonly value: string
  readonly name: string
  /** Other words for it. */
  readonly aliases?: readonly string[]
  readonly note?: string
  /** One for each column of the question. */
  readonly cells?: readonly string[]
  /** Why it is recommended; at most one choice is. */
  readonly recommended?: string | undefined
  /** Why a rule refuses it beside the answers so far; computed on first use. */
  readonly cannot?: string | undefined
}

/** Removes a setting from the edited profile, so that its parent or the default applies. */
export interface Unset {
  /** What applies then, in words. */
  readonly then: string
  /** Why a rule refuses it. */
  readonly cannot?: string
}

/** An answer detected in the cluster, and the object that it was read from. */
export interface Found {
  readonly value: string
  readonly where: string
}

export interface Question {
  /** Also the name of its flag: `windows` of `--windows ws2022`. */
  readonly id: string
  /** The label of the question: a noun phrase, or a yes/no question. */
  readonly title: string
  /** The fields that the answer sets; empty where it only selects further questions. */
  readonly paths: readonly Path[]
  readonly kind: Kind
  /** From the table of fields, a paragraph each. */
  readonly help: readonly string[]
  /** `2 of 7`; absent beyond the questions that every profile needs. */
  readonly step?: string | undefined
  /** Where the value is found. */
  readonly hint?: string
  readonly typing?: string
  /** An answer as typed; absent for a block. */
  readonly example?: string
  /** Of a choice or a confirmation, in the order to show. */
  readonly choices?: readonly Choice[] | undefined
  /** Headers of the cells of the choices. */
  readonly columns?: readonly string[]
  readonly found?: Found
  /** The present value: an undone answer, or that of the edited profile. */
  readonly current?: string
  /** What stands in the field, as typed: the present, the detected or the default value. */
  readonly proposal?: string | undefined
  /** What applies where nothing is typed, in words. */
  readonly fallback: string
  /** Present where the edited profile sets the field. */
  readonly unset?: Unset | undefined
  /** Why it cannot be skipped, in the words of a rule. */
  readonly must?: string | undefined
  /** Why an answer is not valid: its form, or a rule that it breaks. */
  readonly check: (text: string) => string | undefined
  /** A valid answer as the profile will have it. */
  readonly shown: (text: string) => string
}

/** A flag that answers a question before it is asked. */
export interface Flag {
  /** That of the question. */
  readonly id: string
  /** Other names: the field's own word. */
  readonly aliases: readonly string[]
  readonly summary: string
  readonly kind: Kind
  /** All that the field takes; empty where it takes other text. */
  readonly choices: readonly string[]
}

/** One line of the summary: `ask(session, id)` changes it. `given` is by a flag. */
export interface Answered {
  readonly id: string
  readonly title: string
  readonly value: string
  readonly from: 'answered' | 'given' | 'found' | 'proposed' | 'default' | 'unset'
}

export interface Outcome {
  /** The built-in profile that the new one extends. */
  readonly base: string
  /** What differs from the base; `io` writes it with `comments`. */
  readonly patch: JsonObject
  /** Comments for paths of the patch. */
  readonly comments: readonly { readonly path: Path; readonly text: string }[]
  readonly compiled: Compiled
  readonly answers: readonly Answered[]
  /** Values that only the cluster or the machine knows, to compare with it. */
  readonly open: readonly Assumed[]
}
