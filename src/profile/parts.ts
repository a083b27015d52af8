// Reads one document after another: a part that says what an earlier one said is not read again.
import * as v from 'valibot'
import type { JsonObject } from '../model/json.ts'
import { profileSchema, type ProfileValues } from './fields/index.ts'

type Issue = v.InferIssue<typeof profileSchema>

export type Read = (
  document: JsonObject,
) =>
  | { readonly success: true; readonly output: ProfileValues }
  | { readonly success: false; readonly issues: readonly Issue[] }

const options = { abortPipeEarly: true } as const

export const readOnce: Read = (document) => v.safeParse(profileSchema, document, options)

const parts = Object.entries(profileSchema.entries).map(([name, schema]) => ({
  name,
  schema: v.strictObject({ [name]: schema }),
}))

const names = new Set(parts.map(({ name }) => name))

/** As `readOnce`, with a memory. */
export function readingAgain(): Read {
  const known = new Map<string, v.SafeParseResult<(typeof parts)[number]['schema']>>()
  return (document) => {
    // Which part has a key that no part has is for the whole to say.
    if (!Object.keys(document).every((name) => names.has(name))) return readOnce(document)
    const read = parts.map(({ name, schema }) => {
      const said = Object.hasOwn(document, name) ? { [name]: document[name] } : {}
      const text = `${name} ${JSON.stringify(said)}`
      const found = known.get(text) ?? v.safeParse(schema, said, options)
      known.set(text, found)
      return found
    })
    const issues = read.flatMap((part) => part.issues ?? [])
    if (issues.length > 0) return { success: false, issues }
    const output: unknown = Object.assign({}, ...read.map((part) => part.output))
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- of each part of the table of fields, what its schema gives
    return { success: true, output: output as ProfileValues }
  }
}
