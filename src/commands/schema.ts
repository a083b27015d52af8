// winnode schema: the JSON Schema of profiles, for editors.
import { profileJsonSchema } from '../profile/json-schema.ts'
import { BaseCommand } from './base.ts'
import { jsonText } from './report.ts'

export default class Schema extends BaseCommand {
  static override summary = 'Print the JSON Schema of profiles.'
  static override examples = [
    {
      description: 'Save it next to your profiles',
      command: '<%= config.bin %> schema > winnode.schema.json',
    },
  ]

  async run(): Promise<object> {
    await this.parse(Schema)
    const schema = profileJsonSchema()
    this.print(jsonText(schema))
    return { schema }
  }
}
