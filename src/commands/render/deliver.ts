// Writes the rendered files to a folder or to stdout, and reports the result.
import { isUtf8 } from 'node:buffer'
import { planBundle, writeBundle } from '../../io/bundle.ts'
import { folderState } from '../../io/disk-error.ts'
import { below } from '../../io/native-path.ts'
import { differs, isWritten, type FileChange, type Planned } from '../../io/bundle/plan-changes.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import type { Finding } from '../../model/finding.ts'
import { type Need, needWords } from '../../model/need.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { escapeControls } from '../../text/printable.ts'
import { paintDiff } from '../../present/diff.ts'
import { oneLine } from '../../present/one-line.ts'
import { summarize } from '../../present/summary.ts'
import type { Output } from '../../targets/output.ts'
import {
  changeFindings,
  changesTable,
  countChanges,
  decisionsText,
  conflictLines,
} from './changes.ts'
import type { CompiledProfile } from '../compile-profile.ts'
import type { BaseCommand } from '../base.ts'
import { Failure } from '../failure.ts'
import { deferSignals, shouldContinue } from '../signals.ts'
import { writeFailure } from '../write-failure.ts'
import { deletionLines } from './obsolete-objects.ts'
import { fileForStdout, type RenderRequest } from './request.ts'

/** The command, for its streams and its exit code. */
type Command = Pick<BaseCommand, 'print' | 'printStatus' | 'printError' | 'setExit' | 'screen'>

interface Delivery {
  readonly compiled: CompiledProfile
  readonly plan: Plan
  readonly output: Output
  /** `reported`: --format prints findings to stdout, in place of decisions and changes. */
  readonly request: RenderRequest & { readonly reported: boolean }
  /** Adds findings to the output of --format. */
  readonly report: (findings: readonly Finding[]) => void
}

/** Returns what `--json` prints of it. */
export async function deliver(command: Command, delivery: Delivery): Promise<object> {
  const { compiled, plan, output, request } = delivery
  const { out } = request
  if (out === '-') return printFile(command, fileForStdout(output, request))
  if (request.check) return checkFolder(command, delivery)
  const dry = request['dry-run'] || request.diff
  const outcome = await writeOrPlan(output.files, request, dry)
  const { changes, conflicts, leftovers } = outcome
  const written = !dry && conflicts.length === 0
  if (conflicts.length > 0) command.setExit('conflict')
  for (const line of conflictLines(out, conflicts)) command.printError(line)
  for (const path of leftovers)
    command.printStatus(`${path} was not deleted: it may contain other files`)
  const need = request.diff ? await showDiff(command, output.files, outcome, plan) : undefined
  if (!request.diff && !request.reported && (!request.quiet || dry))
    printResult(command, plan, changes, request)
  const verb = dry ? 'would write' : written ? 'wrote' : 'did not write'
  command.printStatus(
    `${verb} ${out}: ${countChanges(changes, request)}; ${summarize(compiled.findings)}`,
  )
  if (written) {
    for (const line of nextSteps(out, changes, output)) command.printStatus(line)
    for (const line of await deletionLines(outcome, output.files)) command.printStatus(line)
  }
  return { out, written, changes, leftovers, ...(request.diff && { need }) }
}

/** With --quiet the changes alone, the result of a dry run. */
function printResult(
  command: Command,
  plan: Plan,
  changes: readonly FileChange[],
  request: RenderRequest,
): void {
  const { quiet, several, out } = request
  const heading = several ? `${oneLine(out)}:\n\n` : ''
  if (!quiet) command.print(`${heading}${decisionsText(plan, command.screen('stdout'))}\n`)
  printChanges(command, changes, request)
}

function printChanges(
  command: Command,
  changes: readonly FileChange[],
  request: RenderRequest,
): void {
  command.print(changesTable(changes, command.screen('stdout'), request))
}

/** Ends with 4 where a file is not as rendered; files that winnode did not write count only in place of one. */
async function checkFolder(
  command: Command,
  { compiled, plan, output, request, report }: Delivery,
): Promise<object> {
  const { out, diff, reported } = request
  const outcome = await writeOrPlan(output.files, request, true)
  const { changes } = outcome
  const current = isWritten(outcome)
  if (!current) command.setExit('drift')
  const need = diff ? await showDiff(command, output.files, outcome, plan) : undefined
  if (!current && !diff && !reported) printChanges(command, changes.filter(differs), request)
  if (reported) report(changeFindings(out, changes))
  const verdict = current ? 'is up to date' : 'differs from the profile'
  command.printStatus(
    `${out} ${verdict}: ${countChanges(changes, request)}; ${summarize(compiled.findings)}`,
  )
  return { out, written: false, changes, ...(diff && { need }) }
}

/** Throws where the folder cannot be read or written, or where a signal interrupts it. */
async function writeOrPlan(
  files: readonly RenderedFile[],
  { out, force }: RenderRequest,
  dry: boolean,
) {
  const request = { out, cwd: process.cwd(), force }
  const { result: outcome, asked } = dry
    ? { result: await planBundle(files, request), asked: undefined }
    : await deferSignals(() => writeBundle(files, request, { shouldContinue }))
  if (outcome.kind !== 'planned') throw writeFailure(outcome, out, asked)
  if (asked)
    throw new Failure(
      asked,
      outcome.conflicts.length > 0
        ? 'interrupted: nothing was changed'
        : `interrupted: ${folderState(out, 'new')}`,
    )
  return outcome
}

const clusterReadme = 'cluster/README.md'

/** One line each, as an imperative. */
function nextSteps(
  out: string,
  changes: readonly FileChange[],
  { next }: Output,
): readonly string[] {
  const isNew = (path: string) =>
    changes.some((one) => one.path === path && ['create', 'foreign'].includes(one.change))
  const steps = [
    ...(isNew(clusterReadme) ? [`${below(out, clusterReadme)} (once per cluster)`] : []),
    ...(isNew('README.md') ? [below(out, 'README.md')] : []),
  ]
  return [...(steps.length > 0 ? [`follow ${steps.join(', then ')}`] : []), ...next].map(
    (line) => `next: ${line}`,
  )
}

function printFile(command: Command, { path, content }: RenderedFile): object {
  command.print(content)
  const base64 = Buffer.from(content).toString('base64')
  return { path, ...(isUtf8(content) ? { content: Buffer.from(content).toString() } : { base64 }) }
}

/** Returns what the change needs on a node; null where the folder holds no bundle. */
async function showDiff(
  command: Command,
  files: readonly RenderedFile[],
  { contentsRead, changes }: Planned,
  plan: Plan,
): Promise<Need | null> {
  const { paint, verbose } = command.screen('stdout')
  const whole = { created: verbose }
  const { diffBundle } = await import('../../io/bundle-diff.ts')
  for (const { text } of diffBundle(files, changes, contentsRead, whole))
    command.print(paintDiff(escapeControls(text), paint))
  if (!verbose && changes.some(({ change }) => change === 'create'))
    command.printStatus('--verbose shows the content of new files')
  if (!changes.some(({ path, change }) => path === manifestNames.bundle && change !== 'create'))
    return null
  const { changeNeed } = await import('../drift/bundle.ts')
  const need = await changeNeed(contentsRead, files, plan)
  if (need !== 'nothing') command.printStatus(`on an installed node this needs ${needWords[need]}`)
  return need
}
