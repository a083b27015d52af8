// winnode facts: shows when each table was last compared with its sources.
import { checkedRows } from '../matrix/checked-rows.ts'
import { table } from '../present/table.ts'
import { BaseCommand } from './base.ts'
import { examples } from './examples.ts'
import { asOf } from './flags.ts'

/** After this many days a row is reported. */
const fresh = 60

export default class Facts extends BaseCommand {
  static override summary = 'Show when each table was last checked.'
  static override examples = examples({
    'Show when each table was last checked': 'facts',
    'List the rows that are too old, with their sources': 'facts --json',
  })
  static override flags = { 'as-of': asOf() }

  async run(): Promise<object> {
    const { flags } = await this.parse(Facts)
    const limit = daysBefore(this.today(flags['as-of']), fresh)
    const all = checkedRows()
    const tables = [...new Set(all.map((row) => row.table))].map((name) => {
      const rows = all.filter((row) => row.table === name)
      const old = rows.filter(({ checked }) => checked < limit)
      return {
        name,
        rows: rows.length,
        oldest: rows.map(({ checked }) => checked).toSorted()[0] ?? '',
        old: old.map(({ see, checked }) => ({ see, checked })),
      }
    })
    this.print(
      table(
        ['TABLE', 'ROWS', 'OLDEST CHECK', `OLDER THAN ${fresh} DAYS`],
        tables.map(({ name, rows, oldest, old }) => [name, `${rows}`, oldest, `${old.length}`]),
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
