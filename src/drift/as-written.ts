// As-written: whether the text of a file on a node is the one of the profile, but for what the node sets itself.
import { type JsonObject, parseObject, valueAt } from '../model/json.ts'
import type { Derivation } from '../model/step.ts'
import type { DesiredFile } from './desired.ts'
import type { Doc, Found } from './evidence.ts'
import { leavesOf } from './leaves.ts'

/** What Hide-NodeSecret puts in the place of a secret. */
const hidden = '<hidden>'

/** Forms of one file that are kept: each winnode and each PowerShell writes its own. */
const most = 20

/** Asked of each node of a fleet, whose texts differ in nothing but names and addresses. */
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

/** A text around what the node sets itself. */
type Form = readonly string[]

const quoted = /"[^"\\\0-\x1f]*"/y

/** Whether the text is this one, with some words of the node in each gap. */
function hasForm(text: string, [first = '', ...rest]: Form): boolean {
  if (!text.startsWith(first)) return false
  quoted.lastIndex = first.length
  for (const part of rest) {
    if (!quoted.test(text) || !text.startsWith(part, quoted.lastIndex)) return false
    quoted.lastIndex += part.length
  }
  return quoted.lastIndex === text.length
}

/** None where the words of the node stand elsewhere too: others in their place are no longer as written. */
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

/** Read without the places of its values, which takes a tenth of the time. */
function objectOf(text: string, { content, plan }: DesiredFile): JsonObject | undefined {
  return content.kind === 'documents' && plan.path.endsWith('.json') ? parseObject(text) : undefined
}

function isSame(value: JsonObject, file: DesiredFile): boolean {
  return differing(file, [{ name: '', value, place: () => undefined }]).length === 0
}

/** How the file differs from that of the profile. */
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
