// A case: the input of a program, and its answer, by version.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { Verdict } from '../judge/finding.ts'
import { root } from '../tools/run.ts'

interface Answer {
  readonly versions: readonly string[]
  readonly verdict: Verdict
  readonly message?: string
  readonly effect?: Json
}

export interface Case {
  readonly id: string
  readonly base?: string
  readonly group?: string
  readonly as?: string
  readonly input?: JsonObject
  readonly change?: JsonObject
  readonly answers: readonly Answer[]
}

/** A case as a profile, or why no profile can say the same. */
export type Expression = { readonly profile: JsonObject } | { readonly because: string }

/** The case as a profile, or why it is none; the first answer counts. */
export type Express = (one: Case, version: string) => Expression

export interface CaseFile {
  readonly what: string
  readonly asked: string
  readonly cases: readonly Case[]
}

export function readCases(name: string): CaseFile {
  const file = path.join(root, 'test/upstream/verdicts', `${name}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as CaseFile
}
