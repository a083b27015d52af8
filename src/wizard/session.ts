// A session of the wizard: what was known when it began, and the answers so far.
import type { Detected } from '../model/detected.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { mergeLayers } from '../profile/merge.ts'
import type { Answered } from './question.ts'

/** A built-in profile with all that it extends, from weak to strong. */
export interface Base {
  readonly name: string
  readonly layers: readonly Layer[]
  /** The layers merged. */
  readonly document: JsonObject
}

export function baseOf(name: string, layers: readonly Layer[]): Base {
  return { name, layers, document: mergeLayers(layers).document }
}

export interface Opening {
  /** Which built-in profiles the new one may extend; the parents alone of a profile that is edited. */
  readonly bases: readonly [Base, ...Base[]]
  /** The profile that is edited. */
  readonly own?: Layer
  /** Of the bundle, where the profile gives none. */
  readonly name: string
  readonly today: string
  readonly allowNewer: boolean
  readonly found: readonly Detected[]
}

/**
 * A question that is done with; without a value nothing is written for it, and what the profile said
 * is taken out where it is `unset`.
 */
export interface Given {
  readonly id: string
  readonly path: Path
  readonly value?: Json
  readonly from: Answered['from']
}

export interface Session {
  readonly opening: Opening
  /** In the order in which they were given. */
  readonly answers: readonly Given[]
  /** Further fields that a person wants to set, by path. */
  readonly further: readonly string[]
  /** The question that comes next, whatever else is open. */
  readonly next?: string
  /** What was answered before somebody went back. */
  readonly remembered: readonly Given[]
  readonly before?: Session
}

export function begin(opening: Opening): Session {
  return { opening, answers: [], further: [], remembered: [] }
}

export function answerTo(session: Session, id: string): Given | undefined {
  return session.answers.find((given) => given.id === id)
}

/** In place of an earlier answer to the same question. */
export function withAnswer(session: Session, given: Given): Session {
  return {
    opening: session.opening,
    answers: [...session.answers.filter(({ id }) => id !== given.id), given],
    further: session.further,
    remembered: session.remembered,
    before: session,
  }
}

/** The session without some of its answers. */
export function keeping(session: Session, keep: (given: Given) => boolean): Session {
  return { ...session, answers: session.answers.filter(keep) }
}

/** As before the last answer; what was said since stands as `current` in its question. */
export function back(session: Session): Session {
  const { before, answers, remembered } = session
  return before ? { ...before, remembered: [...answers, ...remembered] } : session
}

/** That question next; the other answers stay. */
export function ask(session: Session, id: string): Session {
  return { ...session, next: id, before: session }
}
