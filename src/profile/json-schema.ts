// The table of fields as JSON Schema, for editors that complete and check profiles.
import { toJsonSchema } from '@valibot/to-json-schema'
import { profileSchema } from './fields/index.ts'

export function profileJsonSchema(): object {
  return {
    title: 'winnode node profile',
    ...toJsonSchema(profileSchema, {
      target: 'draft-2020-12',
      typeMode: 'input',
      errorMode: 'ignore',
    }),
  }
}
