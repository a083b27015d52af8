// docs/rules.md: every rule that a profile is judged by, from the rules themselves.
import { severities, type Severity } from '../../src/model/finding.ts'
import type { Rule } from '../../src/model/rule.ts'
import { ignoreRules } from '../../src/rules/ignore.ts'
import { rules } from '../../src/rules/index.ts'
import { problems } from '../../src/io/problems.ts'
import { issues } from '../../src/profile/issues.ts'
import { anchor, code, page, prose } from './markdown.ts'

const intro = `# Rules

A profile is judged by these rules after its shape is known to be right. \`winnode validate\` prints what
each of them found at its line and column, with what to do and where the fact is written down. This
page is made from the rules themselves.

- An error means a node that cannot work or cannot be trusted: nothing is rendered, exit code 3.
- A warning means a choice that somebody should have made on purpose; \`--strict\` makes it an error.
- A note is worth knowing.

Within a severity comes first what breaks, then what lets somebody do too much, then what does less than it says,
then what ages. [Ignoring](#ignoring) says how a profile says that something was considered.

Some rules weigh each case: the severity here is the usual one. What is wrong with a file before its
values are known stands [at the end](#before-the-rules).`

const headings: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Notes',
}

export function rulesPage(): string {
  return page([intro, ...severities.flatMap(chapter), ...ignoring(), ...beforeRules()])
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

function ignoring(): readonly string[] {
  const rows = Object.entries(ignoreRules).map(
    ([id, { severity, message, remedy }]) =>
      `- ${code(id)} (${severity}): ${prose(message('…', { reason: '', until: '…' }))}. ${prose(remedy)}`,
  )
  return [
    '## Ignoring',
    'A profile names rules whose warnings and notes have been considered, each with the reason, and with the last day where it should be considered again:',
    '```yaml\nignore:\n  kubelet-port-open-to-all:\n    reason: The network lets only the control plane through.\n    until: 2027-06-30\n```',
    'They are not shown and `--strict` passes; `--verbose` and `--json` still have them. The day is today’s in UTC, or that of `--as-of`. Nothing of it enters a bundle. The list itself is checked:',
    rows.join('\n'),
  ]
}

function beforeRules(): readonly string[] {
  const files = Object.entries(problems).map(
    ([id, { message, remedy }]) => `- ${code(id)}: ${prose(message('…'))}. ${prose(remedy)}`,
  )
  const fields = Object.entries(issues).map(([id, text]) => `- ${code(id)}: ${prose(text)}.`)
  return [
    '## Before the rules',
    'These are errors of the files and flags of a profile. They are all told at once too, but a rule that would have to look at what could not be read stays silent.',
    [...files, ...fields].join('\n'),
  ]
}
