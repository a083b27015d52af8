// The profiles that a command line names, by argument and --profile.
import { type Selection, selectProfiles } from '../io/profiles/selection.ts'
import { namesOf } from '../present/fleet.ts'
import type { BaseCommand } from './base.ts'
import { Failure } from './failure.ts'

type Command = Pick<BaseCommand, 'config' | 'id' | 'printStatus'>

/** Throws a usage failure where no profile is named, and for a folder or a glob without one. */
export async function selectedProfiles(
  command: Command,
  names: readonly string[],
): Promise<Selection> {
  if (names.length === 0)
    throw new Failure(
      'usage',
      'missing profile: built-in profile, YAML file, folder, glob, or - for stdin',
      [`see: winnode ${command.id ?? ''} --help`],
    )
  const selection = await selectProfiles(names, {
    root: command.config.root,
    cwd: process.cwd(),
  })
  const [empty] = selection.empty
  if (empty !== undefined)
    throw new Failure('usage', `${empty}: no profile found`, [
      'a profile is a YAML file with kind: NodeProfile; *.layer.yaml is a layer',
    ])
  if (selection.profiles.length === 0)
    throw new Failure('usage', `profiles extend each other: ${selection.extended.join(', ')}`)
  for (const line of skippedLines(selection)) command.printStatus(line)
  return selection
}

/** Throws where two profiles have the same value, such as a name; `effect` names what both would do. */
export function refuseSame(
  profiles: readonly { readonly profile: string; readonly value: string | undefined }[],
  { effect, hint }: { readonly effect: (value: string) => string; readonly hint: string },
): void {
  const first = new Map<string, string>()
  for (const { profile, value } of profiles) {
    if (value === undefined) continue
    const other = first.get(value)
    if (other !== undefined)
      throw new Failure('usage', `${other} and ${profile} both ${effect(value)}`, [hint])
    first.set(value, profile)
  }
}

/** A line for each file, or kind of files, that is left out. */
function skippedLines({ extended, others }: Selection): readonly string[] {
  return [
    ...extended.map((file) => `${file}: extended by another profile, skipped`),
    ...(others.length > 0
      ? [`${namesOf(others, 10)}: no apiVersion: winnode/v1 and no kind: NodeProfile, skipped`]
      : []),
  ]
}
