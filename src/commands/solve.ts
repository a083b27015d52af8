// winnode solve: the best supported values of the versions and the network that a profile leaves out.
import * as Flags from '@oclif/core/flags'
import { checkWithoutUpgrades } from '../check.ts'
import { concealed } from '../io/finding-places.ts'
import { editProfile } from '../io/source/edit-profile.ts'
import { mergeJson } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import { findingsJson } from '../present/json.ts'
import { findingOnOneLine } from '../present/pretty.ts'
import { conflictText, solutionText } from '../present/solve.ts'
import { structuralErrors } from '../profile/structural-errors.ts'
import { patchOf, solve, type Conflict, type Solution } from '../support/solve.ts'
import { BaseCommand } from './base.ts'
import { problemsOfFile, requiredFields, runCheck } from './check-profile.ts'
import { checkWrite, isProfileFile, readEditedProfile, writeEdited } from './edited-profile.ts'
import { examples } from './examples.ts'
import { solveCommand } from './next-commands.ts'
import { profileArgument, profileFlags } from './profile-flags.ts'

export default class Solve extends BaseCommand {
  static override summary = 'Choose the best supported versions for a profile.'
  static override examples = examples({
    'Choose what a profile leaves out': 'solve ./node.yaml',
    'Choose for a given Windows release': 'solve ./node.yaml --set windows.release=ws2025',
    'Write the choices to the profile': 'solve ./node.yaml --write',
  })
  static override args = { profile: profileArgument }
  static override flags = {
    ...profileFlags,
    write: Flags.boolean({ summary: 'Write the choices to the profile.' }),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Solve)
    const { root } = this.config
    const typed = args.profile
    if (flags.write) checkWrite(flags, typed)
    const edited = isProfileFile(typed)
      ? readEditedProfile(typed, { root, within: flags.root }).edited
      : undefined
    const { findings, ruled, result, place } = runCheck(
      (...input) => {
        const checked = checkWithoutUpgrades(...input)
        return {
          ...checked,
          ruled: checked.findings.filter(({ id }) => !(id in structuralErrors)),
          // A default stands for a refused value: the choices would be for another profile.
          result: checked.refused.length > 0 ? undefined : solve(input),
        }
      },
      typed,
      flags,
      this.checkContext(flags['as-of']),
    )
    const unread = problemsOfFile(findings, ruled)
    if (unread.length > 0 || !result) {
      this.reject({ findings: unread })
      return { findings: findingsJson(unread) }
    }
    if ('fields' in result)
      return this.printConflict({ ...result, findings: place(result.findings) })
    this.printSolution(result)
    const { choices } = result
    let written = false
    if (edited && choices.length > 0) {
      if (flags.write) {
        const change = choices.map(({ path, value }) => patchOf(path, value)).reduce(mergeJson)
        const after = mergeJson(edited.patch, change)
        writeEdited(typed, edited, editProfile(edited.text, { before: edited.patch, after }, []))
        this.printStatus(`wrote ${typed}`)
        written = true
      } else this.printStatusLine(`write the values to the profile: ${solveCommand(typed)}`)
    }
    return { ...solutionJson(result), written }
  }

  private printSolution({ choices, solved, supportedUntil }: Solution): void {
    const screen = this.screen('stdout')
    if (choices.length === 0)
      this.printStatus('the profile sets all of these fields: nothing to choose')
    else this.print(solutionText(choices, screen))
    this.printStatus(`supported until ${supportedUntil}`)
    const missing = requiredFields(solved.findings)
    if (missing.length > 0) this.printStatus(`the profile lacks ${missing.join(' and ')}`)
    for (const finding of concealed(solved.findings))
      if (finding.severity === 'warning')
        this.printStatusLine(findingOnOneLine(finding, this.screen('stderr')))
  }

  private printConflict({ fields, findings }: Conflict): object {
    this.setExit('rejected')
    const each =
      fields.length === 1
        ? 'this field of the profile allows none'
        : 'these fields of the profile exclude each other'
    this.printError(`no supported combination: ${each}`)
    this.printError(conflictText({ fields, findings }, this.screen('stderr')).trimEnd())
    this.nameExplain(findings)
    return { conflict: fields.map(choiceJson), findings: findingsJson(findings) }
  }
}

function solutionJson({ choices, solved, supportedUntil }: Solution): object {
  return {
    choices: choices.map((choice) => ({ ...choiceJson(choice), reason: choice.reason })),
    supportedUntil,
    findings: findingsJson(concealed(solved.findings)),
  }
}

function choiceJson({ path, value }: Conflict['fields'][number]): object {
  return { field: formatPath(path), value }
}
