// docs/situations.md: profiles of practice and their findings, generated from test/situations.
import { refusals } from '../../src/targets/index.ts'
import { structuralErrors } from '../../src/profile/structural-errors.ts'
import { chapters, situations } from '../situations/situations.ts'
import { asYaml, code, fence, page, prose } from './markdown.ts'

const afterOrBefore = new Map([
  ...refusals.map(({ id }) => [id, 'targets'] as const),
  ...Object.keys(structuralErrors).map((id) => [id, 'before-the-rules'] as const),
])

const linkOf = (id: string) => `[${id}](rules.md#${afterOrBefore.get(id) ?? id})`

export function situationsPage(): string {
  return page([
    `# Situations and their findings

These ${situations.length} profiles follow public issues and documents. Each extends a built-in profile, with the fields that it
requires. Below it is what \`winnode validate\` finds, also with \`--for\`; a test compares both. Old versions and
advisories are listed only where they are the subject, and notes only where the situation is about them. This page is generated from
\`test/situations/situations.yaml\`.`,
    ...chapters.flatMap(({ chapter, situations: list }) => [
      `## ${chapter}`,
      ...list.flatMap((one) => [
        `### ${prose(one.title)}`,
        ...(one.profile
          ? [fence('yaml', asYaml({ extends: one.from, ...one.profile }))]
          : [`The profile ${code(one.from)}, unchanged.`]),
        [
          ...(
            [
              ['Errors', one.errors],
              ['Warnings', one.warnings],
              ['Notes', one.notes],
            ] as const
          ).flatMap(([name, ids]) => (ids ? [`- ${name}: ${ids.map(linkOf).join(', ')}`] : [])),
          ...(one.errors || one.warnings ? [] : ['- No errors and no warnings']),
          ...(one.for ? [`- With ${code(`--for ${one.for}`)}`] : []),
          `- Source: <${one.see}>`,
        ].join('\n'),
      ]),
    ]),
  ])
}
