// A session of the wizard: what is fixed at its start, and the answers so far.
import type { Detected } from '../model/detected.ts'
import { valueAt, type Json, type JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import type { AddedFacts } from '../model/tables.ts'
import { mergeLayers } from '../profile/merge.ts'
import type { Answered } from './question.ts'

/** A profile to extend, with its own parents; later layers override earlier ones. */
export interface Base {
  readonly name: string
  readonly layers: readonly Layer[]
  /** The layers merged. */
  readonly document: JsonObject
}

export function baseOf(name: string, layers: readonly Layer[]): Base {
  return { name, layers, document: mergeLayers(layers).document }
}

export interface SessionContext {
  /** The built-in profiles to choose from; of an edited profile, the one that it extends. */
  readonly bases: readonly [Base, ...Base[]]
  /** The profile to edit. */
  readonly own?: Layer
  /** Layers over it: the winnode.lock beside it. */
  readonly above?: readonly Layer[]
  /** Rows of its file of facts. */
  readonly added?: AddedFacts | undefined
  /** Name of the bundle where the profile sets none. */
  readonly name: string
  readonly today: string
  readonly allowNewer: boolean
  readonly found: readonly Detected[]
}

/** An answered or skipped question; without a value nothing is written, and `unset` removes what the profile sets. */
export interface Given {
  readonly id: string
  readonly path: Path
  readonly value?: Json
  readonly from: Answered['from']
  /** Written even where the profile below has the same value. */
  readonly isKept?: boolean
}

export interface Session {
  readonly context: SessionContext
  /** In the order given. */
  readonly answers: readonly Given[]
  /** Ids of the questions to ask before any other. */
  readonly queue: readonly string[]
  /** Answers undone by going back; shown as `current`. */
  readonly undone: readonly Given[]
  readonly previous?: Session
}

export function newSession(context: SessionContext): Session {
  return { context, answers: [], queue: [], undone: [] }
}

export function answerTo(session: Session, id: string): Given | undefined {
  return session.answers.find((given) => given.id === id)
}

/** Replaces an earlier answer to the same question. */
export function withAnswer(session: Session, given: Given): Session {
  return {
    context: session.context,
    answers: [...session.answers.filter(({ id }) => id !== given.id), given],
    queue: session.queue.filter((id) => id !== given.id),
    undone: session.undone.filter(({ id }) => id !== given.id),
    previous: session,
  }
}

export function filterAnswers(session: Session, keep: (given: Given) => boolean): Session {
  return { ...session, answers: session.answers.filter(keep) }
}

/** The session before the last answer, whose value becomes `current` of its question. */
export function back(session: Session): Session {
  const { previous, answers, undone } = session
  return previous ? { ...previous, undone: [...answers, ...undone] } : session
}

/** Asks this question next; keeps the other answers. */
export function ask(session: Session, id: string): Session {
  return { ...session, queue: [id, ...session.queue], previous: session }
}

/** Whether the edited profile itself sets the field. */
export function isOwn({ context: { own } }: Session, path: Path): boolean {
  return (valueAt(own?.patch, path) ?? null) !== null
}
