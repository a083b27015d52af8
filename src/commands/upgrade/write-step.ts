// Writes the first step of several profiles to their files; those that share a file are written together, or not at all.
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { loadProfile } from '../../io/profiles.ts'
import { saveAll } from '../../io/profiles/save.ts'
import { profilesAround } from '../../io/profiles/selection.ts'
import { realPath } from '../../io/real-path.ts'
import { type JsonObject, leavesIn, mergeJson, valueAt } from '../../model/json.ts'
import { formatPath, type Path } from '../../model/path.ts'
import { namesOf } from '../../present/fleet.ts'
import { destinationOf, throwUnsaved } from '../destination.ts'
import { writable } from '../edited-profile.ts'
import { Failure } from '../failure.ts'
import {
  changesByFile,
  type ProfileFiles,
  type ProfileText,
  setIn,
  withChange,
} from './profile-files.ts'

/** What a step changes in the files of a profile. */
export interface ProfileChange {
  readonly profile: string
  readonly files: ProfileFiles
  readonly change: JsonObject
}

export interface WriteRequest {
  /** All profiles of the command line, also those without a step. */
  readonly given: readonly string[]
  readonly root: string
  readonly within: string | undefined
  /** The command that upgrades these profiles. */
  readonly command: (profiles: readonly string[]) => string
}

/** Those that edit a file in common are in one group. */
export function groupsOf<T>(
  all: readonly T[],
  filesEditedBy: (one: T) => readonly string[],
): readonly (readonly T[])[] {
  let groups: readonly { readonly members: readonly T[]; readonly files: readonly string[] }[] = []
  for (const one of all) {
    const files = filesEditedBy(one)
    const sharing = groups.filter((group) => group.files.some((file) => files.includes(file)))
    groups = [
      ...groups.filter((group) => !sharing.includes(group)),
      {
        members: [...sharing.flatMap(({ members }) => members), one],
        files: [...sharing.flatMap((group) => group.files), ...files],
      },
    ]
  }
  return groups.map(({ members }) => members)
}

export function filesOf({ files, change }: ProfileChange): readonly string[] {
  return [...changesByFile(files, change).keys()]
}

/** The names of the written files. Throws where a profile would change that has no such step. */
export async function writeGroup(
  group: readonly ProfileChange[],
  request: WriteRequest,
): Promise<readonly string[]> {
  const edits = editsOf(group)
  for (const edit of edits) await checkEdit(edit, group, request)
  const changed = edits.flatMap(({ before, change }) => {
    const { text } = withChange(before, change)
    return text === before.text ? [] : [{ ...before, text, before: before.digest }]
  })
  const names = changed.map(({ name }) => name)
  for (const name of names) destinationOf(name, writable)
  throwUnsaved(saveAll(changed), names.join(', '))
  return names
}

/** Profiles outside the group that have one of its fields from the same file. */
export async function othersBeside(
  group: readonly ProfileChange[],
  request: WriteRequest,
): Promise<readonly string[]> {
  const others = await Promise.all(
    editsOf(group).map(({ before, change }) =>
      othersWith(
        before.file,
        leavesIn(change).map(({ path }) => path),
        group,
        request,
      ),
    ),
  )
  return [...new Set(others.flat())]
}

interface Edit {
  readonly before: ProfileText
  readonly change: JsonObject
}

function editsOf(group: readonly ProfileChange[]): readonly Edit[] {
  const edits = new Map<string, Edit>()
  for (const { files, change } of group)
    for (const [file, part] of changesByFile(files, change)) {
      const known = edits.get(file)
      const before = known?.before ?? files.texts.get(file)
      if (before) edits.set(file, { before, change: mergeJson(known?.change ?? {}, part) })
    }
  return [...edits.values()]
}

/** Every profile that has a field from this file has the same step for it. */
async function checkEdit(
  { before: { name, file, patch }, change }: Edit,
  group: readonly ProfileChange[],
  request: WriteRequest,
): Promise<void> {
  for (const { path } of leavesIn(change)) {
    const users = group.filter(({ files }) => files.fileOf(path) === file)
    const values = new Map(
      users.map(({ profile, change: own }) => [
        profile,
        JSON.stringify(valueAt(own, path) ?? 'none'),
      ]),
    )
    if (new Set(values.values()).size > 1)
      throw new Failure(
        'rejected',
        `${name} sets ${formatPath(path)} for profiles with different steps: ${[...values].map(([profile, value]) => `${profile} ${value}`).join(', ')}`,
        [
          `set ${formatPath(path)} in each of them, or upgrade to the oldest of these versions first`,
        ],
      )
  }
  // What the file has already changes no other profile.
  const changed = leavesIn(change).filter(
    ({ path, value }) => JSON.stringify(valueAt(patch, path)) !== JSON.stringify(value),
  )
  const paths = changed.map(({ path }) => path)
  const others = await othersWith(file, paths, group, request)
  const stuck = others.filter((one) => request.given.includes(one))
  const fields = namesOf(paths.map((path) => formatPath(path)))
  if (stuck.length > 0)
    throw new Failure(
      'rejected',
      `${name} sets ${fields} for ${namesOf(stuck)} too, without a step to write`,
      [`set ${fields} in ${namesOf(stuck)}`],
    )
  if (others.length > 0)
    throw new Failure('usage', `${name} sets ${fields} for ${namesOf(others)} too`, [
      `to upgrade all: ${request.command([...group.map(({ profile }) => profile), ...others])}`,
    ])
}

/** Profiles outside the group that have one of the fields from the file: of the command line, and those that can extend it. */
async function othersWith(
  file: string,
  paths: readonly Path[],
  group: readonly ProfileChange[],
  { given, root, within }: WriteRequest,
): Promise<readonly string[]> {
  const cwd = process.cwd()
  const realOf = (name: string) => realPath(resolve(cwd, name)) ?? name
  const tops = group.flatMap(({ files }) => files.texts.get(file)?.folder ?? [])
  // A root folder can contain another one.
  const folders = new Set([...tops, dirname(file)])
  const around = await Promise.all(
    [...folders].map((folder) => profilesAround(folder, { root, within })),
  )
  const names = around.flatMap(({ profiles }) => profiles.map((one) => relative(cwd, one)))
  const all = new Map([...names, ...given].map((name) => [realOf(name), name]))
  const moving = new Set(group.map(({ profile }) => realOf(profile)))
  return [...all].flatMap(([real, profile]) => {
    if (moving.has(real) || !existsSync(real)) return []
    const { layers } = loadProfile({ profile, root, cwd, within })
    return paths.some((path) => setIn(layers, path) === file) ? [profile] : []
  })
}
