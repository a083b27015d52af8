// Whether a file on a node has the text that the profile renders, apart from values that the node sets itself.
import { type JsonObject, parseObject, valueAt } from '../model/json.ts'
import type { Derivation } from '../model/step.ts'
import type { DesiredFile } from './desired.ts'
import type { Doc, Found } from './evidence.ts'
import { leavesOf } from './leaves.ts'

/** What Hide-NodeSecret writes instead of a secret. */
const hidden = '<hidden>'

/** How many forms of one file are remembered: each winnode and PowerShell version writes a different one. */
const most = 20

/** Fast path for a fleet, where the texts differ only in names and addresses. */
export function openAsWritten(file: DesiredFile): (text: string) => boolean {
  const forms: Form[] = []
  return (text) => {
    if (text === file.text || forms.some((form) => hasForm(text, form))) return true
    const value = objectOf(text, file)
    if (!value || !isSame(value, file)) return false
    const form = formOf(text, value, file)
    if (form && forms.length < most) forms.push(form)
    return true
  }
}

/** The parts of a text around the values that the node sets. */
type Form = readonly string[]

const quoted = /"[^"\\\0-\x1f]*"/y

/** Whether the text has these parts, with any value in each gap. */
function hasForm(text: string, [first = '', ...rest]: Form): boolean {
  if (!text.startsWith(first)) return false
  quoted.lastIndex = first.length
  for (const part of rest) {
    if (!quoted.test(text) || !text.startsWith(part, quoted.lastIndex)) return false
    quoted.lastIndex += part.length
  }
  return quoted.lastIndex === text.length
}

/** `undefined` if a value of the node also occurs elsewhere in the text, where a different value would be a difference. */
function formOf(text: string, value: JsonObject, file: DesiredFile): Form | undefined {
  const own = derivedOf(file).map(({ pointer }) => valueAt(value, pointer.split('/').slice(1)))
  if (own.length === 0 || !own.every((one) => typeof one === 'string')) return undefined
  const form = own.reduce<Form>(
    (parts, one) => parts.flatMap((part) => part.split(JSON.stringify(one))),
    [text],
  )
  const other = objectOf(form.join('"another"'), file)
  return other && isSame(other, file) ? form : undefined
}

/** Parsed without line numbers, which is ten times as fast. */
function objectOf(text: string, { content, plan }: DesiredFile): JsonObject | undefined {
  return content.kind === 'documents' && plan.path.endsWith('.json') ? parseObject(text) : undefined
}

function isSame(value: JsonObject, file: DesiredFile): boolean {
  return differing(file, [{ name: '', value, place: () => undefined }]).length === 0
}

/** Differences between the file and the one that the profile renders. */
export function differing(file: DesiredFile, was: readonly Doc[]): readonly Found[] {
  const { content, plan } = file
  if (content.kind !== 'documents') return []
  const derived = derivedOf(file)
  return leavesOf(plan.path, content.docs, was).filter(
    (leaf) => !isDerived(leaf, derived) && !isHidden(leaf),
  )
}

function derivedOf({ step }: DesiredFile): readonly Derivation[] {
  return step.kind === 'derivedFile' ? step.derive : []
}

function isDerived({ at }: Found, derived: readonly Derivation[]): boolean {
  return derived.some(({ pointer }) => pointer === at.map((step) => `/${step}`).join(''))
}

function isHidden({ was }: Found): boolean {
  return JSON.stringify(was ?? null).includes(hidden)
}
