// Requirements of the research: each is implemented by rules or by what bundles contain, or is not applied for a reason.
import { isList, isObject, type Json } from '../../src/model/json.ts'
import table from './requirements.json' with { type: 'json' }

export const groups = ['kubernetes', 'hardening', 'network'] as const

export interface Implemented {
  readonly id: string
  /** Rules, keys of `proofs`, rows of style, or rows about bundles. */
  readonly by: readonly string[]
}

interface NotApplied {
  readonly id: string
  readonly fact: string
  readonly because: string
  /** Where, or why; the ids of rules, if it is superseded. */
  readonly detail: string
}

/** Test titles, by a short name. */
export const proofs: Readonly<Record<string, string>> = table.proofs

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export function implementedOf(group: (typeof groups)[number]): readonly Implemented[] {
  return Object.entries<Json>(table[group].implemented).map(([id, by]) => ({
    id,
    by: (isList(by) ? by : [by]).map(textOf),
  }))
}

export function notAppliedOf(group: (typeof groups)[number]): readonly NotApplied[] {
  return Object.entries<Json>(table[group].notApplied).map(([id, row]) => {
    const { fact, because, detail } = isObject(row) ? row : {}
    return { id, fact: textOf(fact), because: textOf(because), detail: textOf(detail) }
  })
}
