// A view for any template: every value is the given text, every condition and list as configured.
import Handlebars from 'handlebars'
import type { View } from '../../src/model/plan.ts'
import { isBlock, isMustache, isPath } from '../../src/render/autoescape/nodes.ts'

interface Choice {
  /** The n-th value; never empty, so that it is true as a condition. */
  readonly text: (n: number) => string
  readonly condition: boolean
  readonly length: number
}

type Need = 'text' | 'condition' | Map<string, Need>

/** What a template reads of one object: a value, a condition, or a list of such objects. */
export type Needs = Map<string, Need>

export function needsOf(source: string): Needs {
  const needs: Needs = new Map()
  collect(Handlebars.parse(source), [needs])
  return needs
}

export function fabricate(needs: Needs, choice: Choice): View {
  let count = 0
  const scalar = (kind: 'text' | 'condition') =>
    kind === 'condition' ? choice.condition : choice.text(++count)
  const item = (fields: Needs) =>
    Object.fromEntries(
      [...fields].map(([key, need]) => [key, scalar(need instanceof Map ? 'text' : need)]),
    )
  return Object.fromEntries(
    [...needs].map(([key, need]) => [
      key,
      need instanceof Map ? Array.from({ length: choice.length }, () => item(need)) : scalar(need),
    ]),
  )
}

function collect(program: hbs.AST.Program | undefined, scopes: readonly Needs[]): void {
  for (const node of program?.body ?? []) {
    if (isMustache(node)) note(node.params[0] ?? node.path, 'text', scopes)
    if (!isBlock(node)) continue
    const isList = node.path.original === 'each'
    const inner = note(node.params[0], isList ? new Map() : 'condition', scopes)
    collect(node.program, inner instanceof Map && isList ? [inner, ...scopes] : scopes)
    collect(node.inverse, scopes)
  }
}

/** The strongest need counts: a list is also a condition, and so is text. */
function note(path: hbs.AST.Node | undefined, need: Need, scopes: readonly Needs[]): Need {
  const name = isPath(path) && !path.data ? path.parts[0] : undefined
  const scope = isPath(path) ? scopes[path.depth] : undefined
  if (name === undefined || !scope) return need
  const known = scope.get(name)
  const stronger = known === undefined || known === 'condition' ? need : known
  scope.set(name, stronger)
  return stronger
}
