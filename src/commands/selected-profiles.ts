// The profiles that a command line names, by argument and --profile.
import { type Selection, selectProfiles } from '../io/profiles/selection.ts'
import { namesOf } from '../present/fleet.ts'
import { Failure } from './failure.ts'

/** Throws a usage failure where no profile is named, and for a folder or a glob without one. */
export async function selectedProfiles(
  names: readonly string[],
  command: string,
  root: string,
): Promise<Selection> {
  if (names.length === 0)
    throw new Failure(
      'usage',
      'missing profile: built-in profile, YAML file, folder, glob, or - for stdin',
      [`see: winnode ${command} --help`],
    )
  const selection = await selectProfiles(names, { root, cwd: process.cwd() })
  const [empty] = selection.empty
  if (empty !== undefined)
    throw new Failure('usage', `${empty}: no profile found`, [
      'a profile is a YAML file with kind: NodeProfile; *.layer.yaml is a layer',
    ])
  if (selection.profiles.length === 0)
    throw new Failure('usage', `profiles extend each other: ${selection.extended.join(', ')}`)
  return selection
}

/** A line for each file, or kind of files, that is left out. */
export function skippedLines({ extended, others }: Selection): readonly string[] {
  return [
    ...extended.map((file) => `${file}: extended by another profile, skipped`),
    ...(others.length > 0
      ? [`${namesOf(others, 10)}: no apiVersion: winnode/v1 and no kind: NodeProfile, skipped`]
      : []),
  ]
}
