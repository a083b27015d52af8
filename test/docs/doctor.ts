// docs/doctor.md: every diagnosis, from the tables themselves.
import { type Diagnosis, topics } from '../../src/doctor/diagnoses.ts'
import { page, prose } from './markdown.ts'

const intro = `# Find the cause when a node does not work

\`winnode doctor REPORT…\` diagnoses a node from the report of \`Export-WinNodeReport.ps1\`. It prints the cause, the lines of
the report that show it, the fix, and a source. It reads files only, and contacts no cluster. By symptom: [troubleshoot](troubleshoot.md).

\`\`\`sh
winnode doctor ./winnode-report.json
winnode doctor ./reports --format markdown
\`\`\`

Any number of files and folders can be named, and \`-\` is standard input. A snapshot of \`Test-WinNode.ps1 -AsJson\` is
accepted too: it has steps and checks, but no logs. This page is generated from the diagnoses.

- **sure**: a check on the node found it, or the program logged it before it exited.
- **likely**: this log line nearly always has this cause.
- **possible**: look there first.

Log lines and events may be days old: if all checks of the node pass, they are at most possible, except for pods. Causes
come before their consequences, and a cause on several nodes is one finding.

Consequences of another cause are not reported: if containerd does not run, the kubelet that waits for it is not a finding.
Log lines that also occur in a successful start count only if the node does not work. Failed checks without a known
cause are printed as they are, with what the node could not read and which parts of the report are missing.

\`winnode doctor --first-run FILE\` reads another file: [measurements of a Windows Server](first-real-run.md).

\`--format\` is \`pretty\`, \`json\` or \`markdown\`. The exit code is 0 if every report was read, whatever was found, and 6
if one could not be read.`

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
    `Fix: ${prose(fix)}`,
    [
      `Confidence: ${confidence}. Looks at: ${looked}.`,
      ...(causedBy.length > 0 ? [`Not reported together with: ${causedBy.join(', ')}.`] : []),
      `Source: <${see}>`,
    ].join(' '),
  ]
}
