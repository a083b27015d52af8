// winnode facts: shows when each table was last compared with its sources.
import { checkedTables } from '../matrix/checked-rows.ts'
import { table } from '../present/table.ts'
import { BaseCommand } from './base.ts'
import { examples } from './examples.ts'
import { asOf } from './flags.ts'
import { factsFlag } from './profile-flags.ts'

/** Older rows are reported. */
const maxDays = 60

export default class Facts extends BaseCommand {
  static override summary = 'Show when each table was last checked.'
  static override examples = examples({
    'Show when each table was last checked': 'facts',
    'List the rows that are too old, with their sources': 'facts --json',
    'Show a file of rows among the tables': 'facts --facts corp.facts.yaml',
  })
  static override flags = { facts: factsFlag, 'as-of': asOf() }

  async run(): Promise<object> {
    const { flags } = await this.parse(Facts)
    const limit = daysBefore(this.today(flags['as-of']), maxDays)
    const tables = checkedTables(flags.facts).map(({ rows, ...one }) => {
      const old = rows.filter(({ checked }) => checked < limit)
      const oldest = rows.map(({ checked }) => checked).toSorted()[0] ?? null
      return { ...one, rows: rows.length, oldest, old }
    })
    this.print(
      table(
        ['TABLE', 'ROWS', 'OLDEST CHECK', `OLDER THAN ${maxDays} DAYS`],
        tables.map(({ name, file, rows, oldest, old }) => [
          file === undefined ? name : `${name} (facts: ${file})`,
          ...(oldest === null ? ['', 'no date', ''] : [`${rows}`, oldest, `${old.length}`]),
        ]),
        this.screen('stdout'),
      ),
    )
    const old = new Set(tables.flatMap((one) => one.old.map(({ see }) => see)))
    if (old.size > 0) {
      this.print(
        `\nsources to compare again:\n${[...old]
          .toSorted()
          .map((see) => `  ${see}\n`)
          .join('')}`,
      )
      this.setExit('drift')
    }
    return { olderThan: limit, tables }
  }
}

function daysBefore(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - count)
  return at.toISOString().slice(0, 10)
}
