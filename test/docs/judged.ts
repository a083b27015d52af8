// docs/judged.md: how often winnode agrees with the real programs.
import { later } from '../judged/later.ts'
import { unexpressed } from '../judged/files.ts'
import type { Ran } from '../judged/run.ts'
import { code, page, prose, table } from './markdown.ts'

export function judgedPage(ran: readonly Ran[]): string {
  return page([
    '# How often winnode agrees with the real programs',
    'Settings were given to the real programs, and their answers were recorded by version, in `test/upstream/verdicts`. A test writes a profile for each case that a profile can contain, runs `winnode validate` on it, and compares: `npm run golden` writes this page, `npm run test:all` checks it.',
    [
      '- What the program refuses is an error.',
      '- What it ignores is at least a warning.',
      '- What it accepts is no error, unless a rule in the list below names what fails later, or the field for the setting.',
    ].join('\n'),
    table(
      ['Cases', 'Program', 'Versions', 'Recorded', 'Count', 'As profiles', 'Agree'],
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
    '## Refused, although the program accepts it',
    [...later].map(([id, why]) => `- ${code(id)}: ${prose(why)}.`).join('\n'),
    '## Cases that a profile cannot have',
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
