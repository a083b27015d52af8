// Asks rules of one spec after another: who reads what was read before says what was said before.
import type { Finding, Severity } from '../model/finding.ts'
import { overlapsTree, pathTree } from '../model/path-tree.ts'
import type { Path } from '../model/path.ts'
import type { Rule } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'
import { askedRules, findingsOf, readsOf, type Ask, type Look } from './check.ts'
import {
  comparing,
  placesThatDiffer,
  textOf,
  valueAt,
  watched,
  type Place,
  type Values,
} from './places.ts'

interface Said {
  readonly findings: readonly Finding[]
  /** Where the rule read. */
  readonly places: readonly Place[]
  /** The same in all depth, for who asks. */
  reads?: readonly Path[]
}

/** How far a rule has read: where it reads next, and how it goes on from each value there. */
interface Reading {
  place?: Place
  readonly on: Map<unknown, Reading>
  /** Where it has read all. */
  said?: Said
  /** Of a rule that reads so much that it never meets the same again. */
  wide?: boolean
}

/** What rules said of the last spec, and which of them read a place. */
interface Run {
  readonly said: Map<Rule, Said>
  readonly readers: Map<string, Set<Rule>>
  values: Values
}

const wide = 60
const everywhere: readonly Place[] = [{ name: '*' }]

/** As `askingOnce`, of one day: what a rule says follows from what it reads. */
export function askingAgain(look: Look<NodeSpec>): Ask {
  const readings = new Map<Rule, Reading>()
  const runs = new Map<Severity | undefined, Run>()
  const valuesOf = comparing()

  function ask(rule: Rule, spec: NodeSpec): Said {
    const begin: Reading = readings.get(rule) ?? { on: new Map() }
    readings.set(rule, begin)
    if (begin.wide) return { findings: findingsOf(rule, look(spec)), places: everywhere }
    const values = valuesOf(spec)
    let at: Reading | undefined = begin
    while (at?.place) at = at.on.get(valueAt(values, at.place))
    return at?.said ?? learn(begin, rule, spec)
  }

  function learn(begin: Reading, rule: Rule, spec: NodeSpec): Said {
    const read = new Map<string, Place>()
    const seen = watched(spec, (place) => read.set(textOf(place), place))
    const findings = findingsOf(rule, look(seen))
    begin.wide = read.size > wide
    if (begin.wide) return { findings, places: everywhere }
    const places = [...read.values()]
    let at = begin
    for (const place of places) {
      const value = valueAt(valuesOf(spec), place)
      const next: Reading = at.on.get(value) ?? { on: new Map() }
      at.place = place
      at.on.set(value, next)
      at = next
    }
    at.said = { findings, places }
    return at.said
  }

  /** Again those alone that read what is another now. */
  function renewed(spec: NodeSpec, only: Severity | undefined): Run['said'] {
    const values = valuesOf(spec)
    const last = runs.get(only)
    const run: Run = last ?? { said: new Map(), readers: new Map(), values }
    runs.set(only, run)
    const asked = last ? readersOf(run, values) : askedRules(only)
    for (const rule of asked) {
      const said = ask(rule, spec)
      run.said.set(rule, said)
      for (const place of said.places) readersAt(run, place).add(rule)
    }
    run.values = values
    return run.said
  }

  return {
    rule: (rule, { spec }) => ask(rule, spec).findings,
    rules: ({ spec }, refused, only) => {
      const unknown = pathTree(refused)
      const isBlind = (rule: Rule, said: Said) => {
        if (refused.length === 0 || rule.byValue) return false
        said.reads ??= readsOf(rule.id, spec, look)
        return said.reads.some((read) => overlapsTree(unknown, read))
      }
      const findings: Finding[] = []
      for (const [rule, said] of renewed(spec, only))
        if (said.findings.length > 0 && !isBlind(rule, said)) findings.push(...said.findings)
      return findings
    },
  }
}

function readersAt({ readers }: Run, place: Place): Set<Rule> {
  const text = textOf(place)
  const known = readers.get(text) ?? new Set()
  readers.set(text, known)
  return known
}

function readersOf(run: Run, values: Values): ReadonlySet<Rule> {
  const places = placesThatDiffer(run.values, values)
  const all = places.length > 0 ? [...places, ...everywhere] : []
  return new Set(all.flatMap((place) => [...readersAt(run, place)]))
}
