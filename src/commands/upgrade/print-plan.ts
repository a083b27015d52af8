// What upgrade prints of the plan of a profile, and its JSON.
import { concealed } from '../../io/finding-places.ts'
import { errorsWithoutAsks, hasErrors } from '../../model/finding.ts'
import { findingsJson } from '../../present/json.ts'
import { findingBlock } from '../../present/pretty.ts'
import { upgradeStep } from '../../present/upgrade.ts'
import type { Refusal } from '../../upgrade/plan-upgrade.ts'
import { type Running, runningLines } from '../../upgrade/running.ts'
import type { BaseCommand } from '../base.ts'
import { isProfileFile } from '../edited-profile.ts'
import type { UpgradeWords } from '../next-commands.ts'
import type { PlannedProfile } from './plan-profiles.ts'
import type { UpgradeStep } from './steps.ts'
import { todoOf } from './todo.ts'

type Command = Pick<
  BaseCommand,
  'nameExplain' | 'print' | 'printError' | 'printStatus' | 'reject' | 'screen' | 'setExit'
>

interface Printing {
  /** Names the profile in each line. */
  readonly several: boolean
  readonly target: string
  readonly words: UpgradeWords
  /** Writes the step to a version to the files of these profiles. */
  readonly command: (profiles: readonly string[], to: string) => string
}

/** Sets the exit code where the plan does not reach the target. */
export function printPlan(
  command: Command,
  { profile, from, plan, live, steps, together, findings }: PlannedProfile,
  { several, target, words, command: write }: Printing,
): void {
  const name = profile === '-' ? 'the profile of standard input' : profile
  const of = several ? `${name}: ` : ''
  if (live)
    for (const line of runningLines(live.running, live.own.facts.spec.kubernetes))
      command.printStatus(`${of}${line}`)
  const [first] = steps
  if (first && first.round > 1)
    command.printStatus(`${of}no step 1: nodes of other profiles are older, and go first`)
  const next = {
    profile,
    isFile: isProfileFile(profile),
    folder: several ? `./out/${plan.before.facts.spec.name}` : './win-node',
    words,
    command: (to: string) => write(together, to),
  }
  for (const step of steps) {
    const subject = step.isReached ? 'the profile' : 'nodes'
    const title = `${of}STEP ${step.round} of ${steps.at(-1)?.round}: ${subject} to ${step.to}`
    const text = upgradeStep({ ...step, title, todo: todoOf(step, next) }, command.screen('stdout'))
    command.print(step === first && !several ? text : `\n${text}`)
  }
  if (plan.blockedBy !== undefined) {
    command.setExit('rejected')
    command.printError(
      `${of}no step to ${target}: nodes with Kubernetes ${plan.blockedBy} go first`,
    )
  } else if (steps.length === 0 && !plan.refused) {
    command.printStatus(`${live ? 'every node' : name} has Kubernetes ${from}: nothing to do`)
    const errors = errorsWithoutAsks(findings)
    if (errors.length > 0) command.reject({ findings: errors })
  }
  if (plan.refused) printRefusal(command, plan.refused, of)
}

function printRefusal(command: Command, refused: Refusal, of: string): void {
  command.setExit('rejected')
  const findings = concealed(refused.findings)
  const which = refused.of === undefined ? '' : ` of ${refused.of}, which shares a file`
  command.printError(`${of}no step to ${refused.to}${which}:`)
  for (const finding of findings)
    command.printError(findingBlock(finding, command.screen('stderr')))
  if (!hasErrors(findings)) command.printError('--accept-untested accepts this combination')
  command.nameExplain(findings)
}

export function planJson({ from, plan, live, steps }: PlannedProfile, target: string): object {
  return {
    from,
    to: target,
    ...(live && { running: runningJson(live.running) }),
    steps: steps.map(stepJson),
    refused: plan.refused ? refusalJson(plan.refused) : null,
    blockedBy: plan.blockedBy ?? null,
  }
}

function runningJson({ apiServer, nodes, kubeProxies }: Running): object {
  return {
    apiServer,
    nodes: Object.fromEntries(nodes),
    kubeProxies: Object.fromEntries(kubeProxies),
  }
}

function stepJson(step: UpgradeStep): object {
  const { round, to, controlPlane, change, versions, profile, bundle, added } = step
  return {
    round,
    to,
    reached: step.isReached ?? false,
    controlPlane,
    change,
    versions,
    profileDiff: profile?.diff ?? null,
    bundle: bundle ? { changes: bundle.changes, need: bundle.need } : null,
    added: findingsJson(concealed(added)),
  }
}

function refusalJson(refused: Refusal): object {
  const findings = concealed(refused.findings)
  return {
    profile: refused.of ?? null,
    to: refused.to,
    untested: !hasErrors(findings),
    findings: findingsJson(findings),
  }
}
