// docs/doctor.md: every diagnosis, from the tables themselves.
import { topics } from '../../src/doctor/diagnoses/index.ts'
import type { Diagnosis } from '../../src/report/diagnosis.ts'
import { page, prose } from './markdown.ts'

const intro = `# Doctor

\`winnode doctor REPORT…\` names the cause of trouble, from what \`Export-WinNodeReport.ps1\` wrote on a node: what is
wrong, the lines of the report that show it, what mends it, and a source. It reads files only, and asks no cluster.

\`\`\`sh
winnode doctor ./winnode-report.json
winnode doctor ./reports --format markdown
\`\`\`

Any number of files and folders can be named, and \`-\` is standard input. A snapshot, which \`Test-WinNode.ps1 -AsJson\`
prints, is read too: it has steps and checks, and no logs. This page is made from the diagnoses themselves.

- **sure**: a check of the node said it, or its program said so before it ended.
- **likely**: these words nearly always have this cause.
- **possible**: look there first.

Words of a log and events may be of days ago: where all that the node looked at is well, they are at most possible, unless
they are of pods. What breaks first is told before what follows, and a cause of several nodes once.

What follows from another cause is left to that one: where containerd does not run, nothing is said of the kubelet that
waits for it. Words that also stand in the log of a start that went well count only where the node does not work. Checks
that fail without a known cause are said as they are, with what the node could not read, and so is which part of a report
is missing.

\`--format\` is \`pretty\`, \`json\` or \`markdown\`. The exit code is 0 where every report was read, whatever was found, and 6
where one could not be read.`

export function doctorPage(): string {
  return page([intro, ...Object.entries(topics).flatMap(([name, rows]) => topic(name, rows))])
}

function topic(name: string, rows: readonly Diagnosis[]): readonly string[] {
  return [`## ${name}`, ...rows.flatMap(section)]
}

function section({ id, cause, fix, confidence, see, sign, causedBy = [] }: Diagnosis) {
  const looked = [...new Set(sign.needs)].join(', ')
  return [
    `### ${id}`,
    prose(cause),
    `What to do: ${prose(fix)}`,
    [
      `Confidence: ${confidence}. Looks at: ${looked}.`,
      ...(causedBy.length > 0 ? [`Not said beside: ${causedBy.join(', ')}.`] : []),
      `Source: <${see}>`,
    ].join(' '),
  ]
}
