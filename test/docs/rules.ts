// docs/rules.md: every rule that checks a profile, generated from the rules.
import { severities, type Severity } from '../../src/model/finding.ts'
import type { RuleTexts } from '../../src/model/rule.ts'
import { ignoreRules } from '../../src/rules/ignore.ts'
import { refusals } from '../../src/targets/index.ts'
import { rules } from '../../src/rules/index.ts'
import { rulesTogether } from '../../src/rules/together.ts'
import { workloadRules } from '../../src/workloads/rules/index.ts'
import { problems } from '../../src/io/problems.ts'
import { structuralErrors } from '../../src/profile/structural-errors.ts'
import { anchor, code, page, prose } from './markdown.ts'

const intro = `# Rules

These rules check a profile once its structure is valid. \`winnode validate\` prints each finding with its
line and column, a fix and a source; \`winnode explain ID\` prints one of these rules. This page is generated from the rules.

- An error means a node that cannot work or cannot be trusted: nothing is rendered, exit code 3.
- A warning means a choice that should be deliberate; \`--strict\` makes it an error.
- A note is information only.

Within a severity, findings about failures come first, then about excessive permissions, then about settings with less
effect than they appear to have, then about age. [Ignoring](#ignoring) describes how a profile accepts a finding.

Some rules decide the severity for each case: the one here is the usual one. Errors in a file before its
values are known are [at the end](#before-the-rules).

The first sentence of a rule is what must hold; a finding means that it does not.`

const headings: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Notes',
}

export function rulesPage(): string {
  return page([intro, ...chapters(rules), ...ignoring(), ...beforeRules(), ...afterRules()])
}

const introOfWorkloads = `# Rules for workloads

\`winnode lint\` checks manifests with these rules: the pods that are meant for Windows nodes, and the Services that
do not select only other pods. This page is generated from the rules; [Check workloads](lint.md) shows how to use them.

- An error means pods that the API server rejects, that are scheduled nowhere, or that cannot start: exit code 3.
- A warning means a setting with another effect than on Linux, or none; \`--strict\` makes it an error.
- A note is information only.

Some rules decide the severity for each case: the one here is the usual one.`

export function workloadRulesPage(): string {
  return page([introOfWorkloads, ...chapters(workloadRules)])
}

type Listed = RuleTexts & { readonly severity: Severity }

function chapters(all: readonly Listed[]): readonly string[] {
  return severities.flatMap((severity) => chapter(severity, all))
}

function chapter(severity: Severity, all: readonly Listed[]): readonly string[] {
  const found = all
    .filter((rule) => rule.severity === severity)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const contents = found.map(({ id, summary }) => `- [${id}](${anchor(id)}): ${prose(summary)}`)
  return [`## ${headings[severity]}`, contents.join('\n'), ...found.flatMap(section)]
}

function section({ id, summary, remedy, see }: RuleTexts): readonly string[] {
  return [
    `### ${id}`,
    `Requirement: ${prose(summary)}`,
    `Fix: ${prose(remedy)}`,
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
    'A profile lists rules whose warnings and notes are accepted, each with the reason, and optionally with the last day:',
    '```yaml\nignore:\n  kubelet-port-open-to-all:\n    reason: The network firewall allows only the control plane.\n    until: 2027-06-30\n```',
    'They are hidden and `--strict` passes; `--verbose` and `--json` still include them. The day is today in UTC, or that of `--as-of`. Bundles do not contain the list. The list itself is checked:',
    rows.join('\n'),
  ]
}

function beforeRules(): readonly string[] {
  const files = Object.entries(problems).map(
    ([id, { message, remedy }]) =>
      `- ${code(id)}: ${prose(message.replace('{}', '…'))}. ${prose(remedy)}`,
  )
  const fields = Object.entries(structuralErrors).map(
    ([id, text]) => `- ${code(id)}: ${prose(text)}.`,
  )
  return [
    '## Before the rules',
    'These are errors in the files and flags of a profile. All of them are reported at once, but rules that depend on unreadable parts are skipped.',
    [...files, ...fields].join('\n'),
  ]
}

function afterRules(): readonly string[] {
  return [
    '## Several profiles',
    '`winnode validate` of several profiles also compares them:',
    rulesTogether
      .map(
        ({ id, severity, summary, remedy }) =>
          `- ${code(id)} (${severity}): ${prose(summary)} ${prose(remedy)}`,
      )
      .join('\n'),
    '## Targets',
    'With `--for TARGET`, `winnode validate` and `winnode render` also report what the target needs:',
    refusals.map(({ id, summary }) => `- ${code(id)}: ${prose(summary)}.`).join('\n'),
  ]
}
