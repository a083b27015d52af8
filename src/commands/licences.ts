// winnode licences: prints the licences of winnode and of its dependencies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseCommand } from './base.ts'

/** Only the executable contains Bun. */
const files = [
  'LICENSE',
  'dist/THIRD-PARTY.txt',
  ...(process.versions['bun'] === undefined ? [] : ['packaging/BUN.txt']),
]

export default class Licences extends BaseCommand {
  static override summary = 'Print the licences of winnode and of all that it contains.'
  static override examples = [
    {
      description: 'Read them',
      command: '<%= config.bin %> licences | more',
    },
  ]

  async run(): Promise<object> {
    await this.parse(Licences)
    const licences = files.map((file) => ({
      file,
      text: readFileSync(join(this.config.root, file), 'utf8'),
    }))
    this.print(licences.map(({ text }) => text).join(`\n${'='.repeat(80)}\n\n`))
    return { licences }
  }
}
