// Writes blocks as HCL, formatted as `packer fmt` does.
import type { Scalar } from '../model/plan.ts'
import { hcl } from './quote/hcl.ts'

/** An expression written by winnode, such as `var.location`. A class, as a map of a profile can have any key. */
class Expression {
  readonly expression: string

  constructor(text: string) {
    this.expression = text
  }
}
export type { Expression }

export type HclValue = Scalar | readonly Scalar[] | Expression | HclMap
type HclMap = { readonly [key: string]: Scalar | Expression }

export interface Block {
  readonly type: string
  readonly labels?: readonly string[]
  readonly attributes?: Readonly<Record<string, HclValue>>
  readonly blocks?: readonly Block[]
}

export const expression = (text: string): Expression => new Expression(text)

/** A comment, then the blocks, separated by blank lines. */
export function hclText(comment: string, blocks: readonly Block[]): string {
  return `# ${comment}\n\n${blocks.map((block) => blockLines(block).join('\n')).join('\n\n')}\n`
}

function blockLines({ type, labels = [], attributes = {}, blocks = [] }: Block): readonly string[] {
  const head = [type, ...labels.map(hcl), '{'].join(' ')
  const parts = [attributeLines(attributes), ...blocks.map(blockLines)]
  const body = parts.filter((lines) => lines.length > 0)
  const inner = body.flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines))
  return [head, ...inner.map((line) => (line === '' ? '' : `  ${line}`)), '}']
}

/** `packer fmt` aligns the equals signs of consecutive lines; maps follow, as they take several lines. */
function attributeLines(attributes: Readonly<Record<string, HclValue>>): readonly string[] {
  const rows = Object.entries(attributes)
  const short = rows.flatMap(([name, value]) => {
    const text = oneLine(value)
    return text === undefined ? [] : [[name, text] as const]
  })
  const long = rows.flatMap(([name, value]) =>
    isMap(value) ? [`${name} = {`, ...aligned(entries(value)).map((line) => `  ${line}`), '}'] : [],
  )
  return [...aligned(short), ...long]
}

function aligned(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${name.padEnd(width)} = ${text}`)
}

const entries = (map: HclMap) =>
  Object.entries(map).map(([name, value]) => [keyOf(name), oneLine(value) ?? ''] as const)

/**
 * `{ for` begins an expression.
 * https://developer.hashicorp.com/packer/docs/templates/hcl_templates/syntax#identifiers
 */
const keyOf = (name: string) => (/^(?!for$)[a-zA-Z_][\w-]*$/.test(name) ? name : hcl(name))

/** `undefined` for a map. */
function oneLine(value: HclValue): string | undefined {
  if (isMap(value)) return undefined
  if (typeof value !== 'object') return hcl(value)
  return value instanceof Expression ? value.expression : `[${value.map(hcl).join(', ')}]`
}

function isMap(value: HclValue): value is HclMap {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Expression)
}
