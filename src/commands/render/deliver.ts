// Deliver: what was rendered goes to a folder or to stdout, and what came of it is said.
import { isUtf8 } from 'node:buffer'
import { diffBundle } from '../../io/bundle-diff.ts'
import { planBundle, writeBundle } from '../../io/bundle.ts'
import { below } from '../../io/shown-path.ts'
import type { FileChange, Planned } from '../../io/bundle/survey.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import { type Need, needWords } from '../../model/need.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { printable } from '../../model/printable.ts'
import { paintDiff } from '../../present/diff.ts'
import type { Screen } from '../../present/screen.ts'
import { summarize } from '../../present/summary.ts'
import type { Output } from '../../targets/output.ts'
import { counts, decidedAndChanged, inTheWay } from '../changes.ts'
import type { CompiledProfile } from '../compile-profile.ts'
import type { Exit } from '../exit.ts'
import { Failure } from '../failure.ts'
import { finish } from '../interruption.ts'
import { writeFailure } from '../write-failure.ts'
import { printed, type Wanted } from './wanted.ts'

/** The streams of a command, and how it ends. */
export interface Voice {
  readonly data: (content: string | Uint8Array) => void
  /** A line of prose. */
  readonly talk: (text: string) => void
  readonly complain: (text: string) => void
  readonly end: (exit: Exit) => void
  readonly screen: (stream: 'stdout' | 'stderr') => Screen
}

interface Delivery {
  readonly compiled: CompiledProfile
  readonly plan: Plan
  readonly output: Output
  /** Findings are on stdout where they are reported, in place of decisions and changes. */
  readonly wanted: Wanted & { readonly reported: boolean }
}

/** Gives what `--json` prints of it. */
export async function deliver(voice: Voice, delivery: Delivery): Promise<object> {
  const { compiled, plan, output, wanted } = delivery
  const { out } = wanted
  if (out === '-') return print(voice, printed(output, wanted))
  const dry = wanted['dry-run'] || wanted.diff
  const outcome = await put(output.files, wanted, dry)
  const { changes, conflicts, leftovers } = outcome
  const written = !dry && conflicts.length === 0
  if (conflicts.length > 0) voice.end('conflict')
  for (const line of inTheWay(out, conflicts)) voice.complain(line)
  for (const path of leftovers)
    voice.talk(`${path} is left alone: it may hold what somebody put there`)
  const need = wanted.diff ? await show(voice, output.files, outcome, plan) : undefined
  if (!wanted.diff && !wanted.reported)
    voice.data(decidedAndChanged(plan, changes, voice.screen('stdout')))
  const verb = dry ? 'would write' : written ? 'wrote' : 'did not write'
  voice.talk(`${verb} ${out}: ${counts(changes)}; ${summarize(compiled.findings)}`)
  if (written) for (const line of nextSteps(out, changes, output)) voice.talk(line)
  return { out, written, changes, leftovers, ...(wanted.diff && { need }) }
}

/** Throws where the folder could not be read or written, or somebody has interrupted it. */
async function put(files: readonly RenderedFile[], wanted: Wanted, dry: boolean) {
  const request = { out: wanted.out, cwd: process.cwd(), force: wanted.force }
  const { result: outcome, asked } = dry
    ? { result: await planBundle(files, request), asked: undefined }
    : await finish((goOn) => writeBundle(files, request, { goOn }))
  if (outcome.kind !== 'planned') throw writeFailure(outcome, wanted.out, asked)
  if (asked)
    throw new Failure(
      asked,
      outcome.conflicts.length > 0
        ? 'interrupted: nothing was changed'
        : `interrupted: ${wanted.out} holds the whole new bundle`,
    )
  return outcome
}

function nextSteps(
  out: string,
  changes: readonly FileChange[],
  { next }: Output,
): readonly string[] {
  const first = changes.some(({ path, change }) => path === 'README.md' && change === 'create')
  const read = `${below(out, 'README.md')} says what to do with it on the machine`
  return [...(first ? [read] : []), ...next]
}

function print({ data }: Voice, { path, content }: RenderedFile): object {
  data(content)
  const base64 = Buffer.from(content).toString('base64')
  return { path, ...(isUtf8(content) ? { content: Buffer.from(content).toString() } : { base64 }) }
}

/** Gives what the change needs on a node; null where no bundle is there. */
async function show(
  voice: Voice,
  files: readonly RenderedFile[],
  { held, changes }: Planned,
  plan: Plan,
): Promise<Need | null> {
  const { paint, verbose } = voice.screen('stdout')
  const whole = { created: verbose }
  for (const { text } of await diffBundle(files, changes, held, whole))
    voice.data(paintDiff(printable(text), paint))
  if (!verbose && changes.some(({ change }) => change === 'create'))
    voice.talk('--verbose shows what new files hold')
  if (!changes.some(({ path, change }) => path === manifestNames.bundle && change !== 'create'))
    return null
  const { changeNeed } = await import('../drift/bundle.ts')
  const need = await changeNeed(held, files, plan)
  if (need !== 'nothing') voice.talk(`on a node that is there, this needs ${needWords[need]}`)
  return need
}
