// The steps of an upgrade as text.
import type { Finding } from '../model/finding.ts'
import { type JsonObject, leavesIn } from '../model/json.ts'
import { type Need, needWords } from '../model/need.ts'
import { formatPath } from '../model/path.ts'
import { escapeControls } from '../text/printable.ts'
import { paintDiff } from './diff.ts'
import { oneLine } from './one-line.ts'
import { findingOnOneLine } from './pretty.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { wrap } from './wrap.ts'

interface ShownStep {
  readonly title: string
  readonly versions: readonly Readonly<Record<'subject' | 'before' | 'after', string>>[]
  /** The fields to set. */
  readonly change: JsonObject
  /** The changed profile, if it is a file. */
  readonly profile: { readonly diff: string } | undefined
  readonly bundle:
    | {
        readonly changes: readonly { readonly path: string }[]
        readonly diffs: readonly string[]
        readonly need: Need
      }
    | undefined
  /** Required fields without a value; only the user knows it. */
  readonly missing: readonly string[]
  readonly added: readonly Finding[]
  readonly todo: readonly string[]
}

function reasonOf(missing: readonly string[]): string {
  return missing.length > 0
    ? `The profile lacks ${missing.join(' and ')}`
    : 'The profile is refused as it is'
}

/** With all diffs if the screen is verbose. Ends in a newline. */
export function upgradeStep(step: ShownStep, screen: Screen): string {
  const { paint, verbose } = screen
  const say = (label: string, text: string) => wrap(label, oneLine(text), screen.columns)
  const shown = verbose ? step.added : step.added.filter(({ severity }) => severity !== 'info')
  const parts = [
    table(
      ['', 'NOW', 'THEN'],
      step.versions.map(({ subject, before, after }) => [subject, before, after]),
      screen,
    ),
    step.profile
      ? paintDiff(escapeControls(step.profile.diff), paint)
      : say('set: ', fieldsOf(step.change).join(', ')),
    step.bundle
      ? [
          say('changed files: ', step.bundle.changes.map(({ path }) => path).join(', ')),
          say('a node needs: ', needWords[step.bundle.need]),
        ].join('')
      : say('', `${reasonOf(step.missing)}, so there is no bundle to compare.`),
    shown.map((finding) => `${findingOnOneLine(finding, screen)}\n`).join(''),
    verbose
      ? (step.bundle?.diffs ?? []).map((diff) => paintDiff(escapeControls(diff), paint)).join('')
      : '',
    // Whole, to be copied.
    step.todo.map((line, index) => `${index + 1}. ${oneLine(line)}\n`).join(''),
  ]
  return [`${paint('bold', step.title)}\n`, ...parts.filter((part) => part !== '')].join('\n')
}

/** `kubernetes.version: "1.37"` */
function fieldsOf(change: JsonObject): readonly string[] {
  return leavesIn(change).map(({ path, value }) => `${formatPath(path)}: ${JSON.stringify(value)}`)
}
