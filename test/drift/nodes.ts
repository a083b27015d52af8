// What nodes say of themselves, as files for winnode drift.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonObject } from '../../src/model/json.ts'
import { scratch, rendered } from './asking.ts'

interface StepResult {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly restart: boolean
  readonly detail: string
}

const nodeJson = JSON.parse(readFileSync(path.join(rendered, 'node.json'), 'utf8')) as {
  readonly name: string
  readonly nodeDigest: string
  readonly steps: readonly { readonly id: string; readonly kind: string; readonly phase: string }[]
}

/** As Test-WinNode.ps1 -AsJson prints it before a join; with what differs. */
export function snapshot(
  states: Readonly<Record<string, [string, string]>> = {},
  more: JsonObject = {},
) {
  const steps = nodeJson.steps
    .filter(({ phase }) => phase === 'image')
    .map(({ id, kind }): StepResult => {
      const [state, detail] = states[id] ?? ['Unchanged', '']
      return { id, kind, state, restart: false, detail }
    })
  const { name, nodeDigest } = nodeJson
  const head = {
    ...{ apiVersion: 'winnode/v1', kind: 'NodeSnapshot', name, nodeDigest },
    ...{ exitCode: 0, restart: false },
  }
  return { ...head, message: '', suspended: '', steps, preflight: [], ...more }
}

let fleets = 0
/** One file for each node, as the profile is asked about them. */
export function fleet(files: Readonly<Record<string, unknown>>): string {
  fleets += 1
  const folder = path.join(scratch, `fleet-${fleets}`)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path.join(folder, name), bytes ? content : JSON.stringify(content))
  }
  return folder
}

export const differs = { 'power-plan': ['Different', 'the plan is balanced'] } as const
export const steps = (states: Readonly<Record<string, readonly [string, string]>>) =>
  snapshot(states as Readonly<Record<string, [string, string]>>)
export const health = (verdict: string) =>
  snapshot({}, { health: [{ id: 'hns', kind: 'hns', verdict, evidence: 'none', remedy: 'Wait.' }] })
