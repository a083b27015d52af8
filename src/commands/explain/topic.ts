// One kind of thing that `winnode explain` knows, with its names.
import type { Checked } from '../../check.ts'
import type { AddedFacts } from '../../model/tables.ts'
import type { Plan } from '../../model/plan.ts'
import type { Explanation } from '../../present/explanation.ts'

export interface Scope {
  /** A Kubernetes minor. */
  readonly version: string
  /** The rows of `--facts`. */
  readonly added?: AddedFacts | undefined
  /** A built-in profile with that version, for the values that winnode writes. */
  readonly example: () => Pick<Checked, 'facts'>
  /** The plans of the built-in profiles, by name. */
  readonly plans: () => ReadonlyMap<string, Plan>
}

export interface Subject {
  readonly name: string
  /** What it is, as one line. */
  readonly note: string
}

export interface Topic {
  readonly subjects: (scope: Scope) => readonly Subject[]
  /** None for a name that it does not have. */
  readonly explain: (name: string, scope: Scope) => readonly Explanation[]
}

/** A topic of rows, each with its id as the name. */
export function topicOf<T extends { readonly id: string; readonly summary: string }>(
  rowsIn: (scope: Scope) => readonly T[],
  explain: (row: T) => Omit<Explanation, 'name'>,
): Topic {
  return {
    subjects: (scope) => rowsIn(scope).map(({ id, summary }) => ({ name: id, note: summary })),
    explain: (name, scope) =>
      rowsIn(scope)
        .filter(({ id }) => id === name)
        .map((row) => ({ name, ...explain(row) })),
  }
}

/** The facts that have a text. */
export function factsOf(rows: Readonly<Record<string, string | undefined>>) {
  return Object.entries(rows).flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [{ name, text }],
  )
}

export function unique(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))]
}
