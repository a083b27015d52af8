// Compares a file of a node with the file that the profile renders, without the values that the node sets itself.
import { parseObject } from '../model/json.ts'
import type { DraftStep } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { Leaf } from './compare.ts'
import type { DesiredFile } from './desired.ts'
import type { Doc, Found } from './evidence.ts'
import { leavesOf } from './leaves.ts'

/** Placeholder that Hide-NodeSecret writes for a secret. */
const hidden = '<hidden>'

/** Whether the text equals the rendered file. JSON is parsed without line numbers, which is ten times as fast. */
export function isAsRendered(text: string, file: DesiredFile): boolean {
  if (text === file.text) return true
  const value = file.plan.path.endsWith('.json') ? parseObject(text) : undefined
  if (!value || file.content.kind !== 'documents') return false
  return fileDifferences(file, [{ name: '', value, place: () => undefined }]).length === 0
}

/** Differences between documents of a node's file and the rendered file. */
export function fileDifferences(
  { content, plan, step }: DesiredFile,
  was: readonly Doc[],
): readonly Found[] {
  if (content.kind !== 'documents') return []
  return leavesOf(plan.path, content.docs, was).filter(
    (leaf) => !isDerived(leaf, step) && !isHidden(leaf),
  )
}

/** Whether the node sets the value itself. */
export function isDerived({ at }: Leaf, step: Step | DraftStep | undefined): boolean {
  const pointer = at.map((part) => `/${part}`).join('')
  return step?.kind === 'derivedFile' && step.derive.some((one) => one.pointer === pointer)
}

function isHidden({ was }: Found): boolean {
  return JSON.stringify(was ?? null).includes(hidden)
}
