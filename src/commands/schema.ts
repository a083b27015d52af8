// winnode schema: the JSON Schema of profiles, for editors.
import { profileJsonSchema } from '../profile/json-schema.ts'
import { BaseCommand } from './base.ts'
import { jsonText } from './output-text.ts'
import { examples } from './examples.ts'

export default class Schema extends BaseCommand {
  static override summary = 'Print the JSON Schema of profiles.'
  static override examples = examples({
    'Save it next to your profiles': 'schema > winnode.schema.json',
  })

  async run(): Promise<object> {
    await this.parse(Schema)
    const schema = profileJsonSchema()
    this.print(jsonText(schema))
    return { schema }
  }
}
