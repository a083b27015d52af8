// The seam of the wizard: what the engine asks, for prompts and flags to show as they like.
import type { Compiled } from '../compile.ts'
import type { JsonObject } from '../model/json.ts'
import type { Path } from '../model/path.ts'

/** Questions of one topic come together. */
export type Topic =
  'cluster' | 'windows' | 'versions' | 'network' | 'machine' | 'pods' | 'supply' | 'other'

/**
 * How an answer is typed; every answer is text, and `check` judges it.
 * A list has commas between its items; pairs are `key=value` with commas between them; to confirm is
 * `yes` or `no`; a block is text of several lines.
 */
export type Kind = 'choice' | 'text' | 'list' | 'pairs' | 'confirm' | 'block'

/** An answer on one line: of a block, how long it is. */
export function briefly(text: string): string {
  const lines = text.trimEnd().split('\n').length
  return lines > 1 ? `${lines} lines` : text
}

export interface Choice {
  /** What `answer` and the flag take. */
  readonly value: string
  readonly name: string
  readonly note?: string
  /** Of a question with columns: what stands below each. */
  readonly cells?: readonly string[]
  /** Why it is the one to take; at most one choice has it. */
  readonly recommended?: string | undefined
  /** The reason of a rule: it cannot be taken with the answers so far. Found out when somebody looks. */
  readonly cannot?: string | undefined
}

/** Leaves a setting to the profile below, or to its default. */
export interface Unset {
  /** What stands there then, in words. */
  readonly then: string
  /** The reason of a rule. */
  readonly cannot?: string
}

/** What the cluster says: the answer that is proposed, and the object that it was read from. */
export interface Found {
  readonly value: string
  readonly where: string
}

export interface Question {
  readonly id: string
  readonly topic: Topic
  /** Asks, as one sentence with a question mark. */
  readonly title: string
  /** The fields of the profile that the answer sets; empty where it only leads to further questions. */
  readonly paths: readonly Path[]
  /** Without dashes: `windows` of `--windows ws2022`. */
  readonly flag: string
  readonly kind: Kind
  /** From the table of fields: what it is, why, when it counts, an example; a paragraph each. */
  readonly help: readonly string[]
  /** An answer as somebody else would type it; absent where that takes several lines. */
  readonly example?: string
  /** Of a choice and of a confirmation, in the order to show. */
  readonly choices?: readonly Choice[] | undefined
  /** Heads of the cells of the choices. */
  readonly columns?: readonly string[]
  readonly found?: Found
  /** What stands there now: the earlier answer, or the value of the profile that is edited. */
  readonly current?: string
  /** What happens when it is skipped, in words. */
  readonly fallback: string
  /** Where the profile that is edited says something: what holds once that is taken out. */
  readonly unset?: Unset | undefined
  /** Why it cannot be skipped: the reason of a rule. */
  readonly must?: string | undefined
  /** What is wrong with an answer: its form, or a rule that it breaks. */
  readonly check: (text: string) => string | undefined
}

/** A flag that answers a question before it is asked. */
export interface Flag {
  readonly flag: string
  readonly question: string
  readonly summary: string
  readonly kind: Kind
  /** All that the field takes; empty where it takes other text. */
  readonly choices: readonly string[]
}

/** A value that only the cluster knows, and that nobody gave: compare it. */
export interface OpenPoint {
  readonly subject: string
  readonly value: string
  /** How to see what is true. */
  readonly compare: string
}

/** One line of the summary: `ask(session, id)` changes it. `given` is by a flag. */
export interface Answered {
  readonly id: string
  readonly title: string
  readonly value: string
  readonly from: 'answered' | 'given' | 'found' | 'proposed' | 'left open' | 'unset'
}

export interface Outcome {
  /** The built-in profile that the new one extends. */
  readonly base: string
  /** What differs from it: `io` writes it, with `comments`. */
  readonly patch: JsonObject
  /** A sentence for each path of the patch that has something to say. */
  readonly comments: readonly { readonly path: Path; readonly text: string }[]
  readonly compiled: Compiled
  readonly answers: readonly Answered[]
  readonly open: readonly OpenPoint[]
}

/** What the engine does; each call gives a new session, and the old one stays as it was. */
export interface Engine<Session> {
  /** Absent when nothing is left to ask. */
  readonly nextQuestion: (session: Session) => Question | undefined
  /** Throws on a text that `check` complains of. Later answers that no longer fit are asked again. */
  readonly answer: (session: Session, question: Question, text: string) => Session
  /** Takes what `fallback` says. */
  readonly skip: (session: Session, question: Question) => Session
  /** Takes out what the profile that is edited says; what breaks by it is asked. */
  readonly unset: (session: Session, question: Question) => Session
  /** To the question before; the same session at the first. */
  readonly back: (session: Session) => Session
  /** To any question of `Outcome.answers`; the other answers stay. */
  readonly ask: (session: Session, id: string) => Session
  readonly outcome: (session: Session) => Outcome
}

/** What flags need besides. */
export interface GivingEngine<Session> extends Engine<Session> {
  /** As `answer`, by a flag: no answer to another question takes it away. */
  readonly give: (session: Session, id: string, text: string) => Session
  /** The question that a flag answers; absent where there is none. */
  readonly question: (session: Session, id: string) => Question | undefined
}
