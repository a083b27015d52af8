// winnode license: prints the licenses of winnode and of its dependencies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseCommand } from './base.ts'
import { examples } from './examples.ts'

/** Only the executable contains Bun. */
const files = [
  'LICENSE',
  'dist/THIRD-PARTY.txt',
  ...(process.versions['bun'] === undefined ? [] : ['packaging/BUN.txt']),
]

export default class License extends BaseCommand {
  static override summary = 'Print the licenses of winnode and its dependencies.'
  static override examples = examples({
    'Read them page by page': 'license | more',
  })

  async run(): Promise<object> {
    await this.parse(License)
    const licences = files.map((file) => ({
      file,
      text: readFileSync(join(this.config.root, file), 'utf8'),
    }))
    this.print(licences.map(({ text }) => text).join(`\n${'='.repeat(80)}\n\n`))
    return { licences }
  }
}
