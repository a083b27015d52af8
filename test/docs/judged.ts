// docs/judged.md: how often winnode says what the programs themselves said.
import { later } from '../judged/later.ts'
import { unexpressed } from '../judged/files.ts'
import type { Ran } from '../judged/run.ts'
import { code, page, prose, table } from './markdown.ts'

export function judgedPage(ran: readonly Ran[]): string {
  return page([
    '# Said by winnode, confirmed by the programs',
    'The programs were given settings, and answered. Each case is data, with its answers by version, in `test/upstream/verdicts`. A case becomes a profile where a profile can say the same, and `winnode validate` is asked of that. `npm run golden` makes this page anew; `npm run test:all` holds it.',
    [
      '- What the program refuses is an error.',
      '- What it ignores is at least a warning.',
      '- What it takes is no error, unless a rule of the list below says what fails later, or where the setting belongs.',
    ].join('\n'),
    table(
      ['Cases', 'Program', 'Versions', 'Asked', 'Count', 'As profiles', 'Agree'],
      ran.map((run) => {
        const agree = run.expressed.length - run.differ.length
        return [
          code(run.name),
          run.file.program,
          range(run.versions),
          run.asked,
          `${run.cases}`,
          `${run.expressed.length}`,
          `${agree} (${((agree * 100) / Math.max(1, run.expressed.length)).toFixed(1)} %)`,
        ]
      }),
    ),
    '## Exceptions',
    ran
      .flatMap(({ name, file }) =>
        Object.entries(file.exceptions).map(
          ([id, why]) => `- ${code(name)}, ${code(id)}: ${prose(why)}.`,
        ),
      )
      .join('\n'),
    '## Refused, although the program takes it',
    [...later].map(([id, why]) => `- ${code(id)}: ${prose(why)}.`).join('\n'),
    '## Cases that no profile expresses',
    table(
      ['Cases', 'Count', 'Why'],
      [
        ...ran.flatMap(({ name, reasons }) =>
          [...reasons].map(([why, count]) => [code(name), `${count}`, prose(why)]),
        ),
        ...Object.entries(unexpressed).map(([name, { cases, because }]) => [
          code(name),
          `${cases}`,
          prose(because),
        ]),
      ],
    ),
  ])
}

function range(versions: readonly string[]): string {
  return versions.length < 4
    ? versions.join(', ')
    : `${versions[0]} to ${versions.at(-1)}, ${versions.length} of them`
}
