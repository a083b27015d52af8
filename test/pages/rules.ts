// docs/rules.md: every rule that a profile is judged by, from the rules themselves.
import { severities, type Severity } from '../../src/model/finding.ts'
import type { Rule } from '../../src/model/rule.ts'
import { rules } from '../../src/rules/index.ts'
import { anchor, page, prose } from './markdown.ts'

const intro = `# Rules

A profile is judged by these rules after its shape is known to be right. \`winnode validate\` prints what
each of them found at its line and column, with what to do and where the fact is written down. This
page is made from the rules themselves.

- An error means a node that cannot work or cannot be trusted: nothing is rendered, exit code 3.
- A warning means a choice that somebody should have made on purpose; \`--strict\` makes it an error.
- A note is worth knowing.

Some rules weigh each case: the severity here is the usual one. What is wrong with a file before its
values are known, such as its encoding, its YAML or a mistyped key, has ids of its own and is always
an error.`

const headings: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Notes',
}

export function rulesPage(): string {
  return page([intro, ...severities.flatMap(chapter)])
}

function chapter(severity: Severity): readonly string[] {
  const found = rules
    .filter((rule) => rule.severity === severity)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const contents = found.map(({ id, summary }) => `- [${id}](${anchor(id)}): ${prose(summary)}`)
  return [`## ${headings[severity]}`, contents.join('\n'), ...found.flatMap(section)]
}

function section({ id, summary, remedy, see }: Rule): readonly string[] {
  return [
    `### ${id}`,
    `What must hold: ${prose(summary)}`,
    `What to do: ${prose(remedy)}`,
    `Source: <${see}>`,
  ]
}
