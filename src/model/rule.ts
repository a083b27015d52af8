// A condition on the values of a profile and the rows of the tables.
import type { Facts } from './facts.ts'
import type { Finding, Harm, Severity } from './finding.ts'
import type { Upgradable } from './upgrade.ts'
import type { Path } from './path.ts'

/** One violation; omitted texts come from the rule. */
export interface Conflict extends Pick<
  Finding,
  'path' | 'message' | 'at' | 'harm' | 'remedy' | 'see' | 'advisory'
> {
  readonly severity?: Severity
}

/** The texts of a rule. */
export interface RuleTexts {
  /** Kebab-case name of the problem, such as `pause-image-lacks-os`. */
  readonly id: string
  /** One sentence: what must hold. */
  readonly summary: string
  /** One sentence: what to do when it does not. */
  readonly remedy: string
  readonly see: string
}

/** Warnings and notes name their harm; the default harm of an error is `breaks`. */
export type RuleSeverity =
  | { readonly severity: 'error'; readonly harm?: Harm }
  | { readonly severity: Severity; readonly harm: Harm }

interface RuleOptions extends RuleTexts {
  /** Required fields that cannot have a default: the rule reports them as missing. */
  readonly asks?: readonly string[]
  /** The file of facts that adds the rule. */
  readonly factsFile?: string
  /** Each conflict comes from the value at its path alone, so a refused value hides no other. */
  readonly byValue?: true
  /** Some conflicts have a lower severity than the rule. */
  readonly severityVaries?: true
  /** Components for which the remedy may suggest another version, tried in this order. */
  readonly upgrades?: readonly Upgradable[]
  /** The finding in one or two nouns, for counts in groups; the default is the id. */
  readonly countedAs?: string
  /** Reports an untested combination, which an upgrade must not reach. */
  readonly untested?: true
  /** Its findings are in the group `exposure`. */
  readonly exposure?: true
  readonly check: (facts: Facts) => readonly Conflict[]
}

export type Rule = RuleOptions & RuleSeverity

/** Type-checks a declaration in place. */
export function defineRule(rule: Rule): Rule {
  return rule
}

/** One conflict if the condition holds, otherwise none. */
export function when(
  broken: boolean,
  path: Path,
  message: string,
  more: Partial<Conflict> = {},
): readonly Conflict[] {
  return broken ? [{ path, message, ...more }] : []
}

/** A conflict for each entry that repeats the key of an earlier one; `message` gets the names of both. */
export function repeated(
  entries: readonly { readonly key: string; readonly name: string; readonly path: Path }[],
  message: (name: string, first: string) => string,
): readonly Conflict[] {
  const firsts = new Map<string, string>()
  return entries.flatMap(({ key, name, path }) => {
    const first = firsts.get(key)
    if (first !== undefined) return [{ path, message: message(name, first) }]
    firsts.set(key, name)
    return []
  })
}
