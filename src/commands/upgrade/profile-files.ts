// The files of a profile that an upgrade edits: each field where it is set.
import { relative } from 'node:path'
import { readRegularFile } from '../../io/profiles/read-file.ts'
import { realPath } from '../../io/real-path.ts'
import { editProfile } from '../../io/source/edit-profile.ts'
import { isObject, leavesIn, mergeJson, nestAt, type JsonObject } from '../../model/json.ts'
import type { Layer } from '../../model/layer.ts'
import type { Path } from '../../model/path.ts'
import { mergeLayers } from '../../profile/merge.ts'
import { digestOf } from '../../render/digest.ts'
import { type EditedProfile, readEditedProfile } from '../edited-profile.ts'

export interface ProfileText extends EditedProfile {
  /** In messages and diffs. */
  readonly name: string
  readonly file: string
  /** The root folder, which contains every profile that can extend the file. */
  readonly folder: string
}

export interface ProfileFiles {
  /** By file, that of the command line and those that it extends; not the built-in ones. */
  readonly texts: ReadonlyMap<string, ProfileText>
  /** The file that sets a field; that of the command line where none does. */
  readonly fileOf: (path: Path) => string
}

/** Throws if a file cannot be read, or holds no profile. */
export function profileFiles(
  typed: string,
  folders: { readonly root: string; readonly within?: string | undefined },
): ProfileFiles {
  const { edited, own, loaded } = readEditedProfile(typed, folders)
  const texts = new Map<string, ProfileText>()
  for (const layer of loaded.layers) {
    const file = fileOfLayer(layer)
    if (file === undefined || layer === own) continue
    const read = readRegularFile(file)
    if (read.kind !== 'read') continue
    texts.set(file, {
      name: relative(process.cwd(), file),
      file,
      folder: layer.file?.folder ?? '',
      text: Buffer.from(read.bytes).toString('utf8'),
      digest: digestOf(read.bytes),
      patch: layer.patch,
    })
  }
  const file = edited.file ?? typed
  texts.set(file, { ...edited, name: typed, file, folder: own.file?.folder ?? '' })
  return {
    texts,
    fileOf: (path) => {
      const found = setIn(loaded.layers, path)
      return found !== undefined && texts.has(found) ? found : file
    },
  }
}

/** The file that sets a field of a profile; `undefined` where it is built in or not set. */
export function setIn(layers: readonly Layer[], path: Path): string | undefined {
  const layer = mergeLayers(layers).origin(path)
  return layer && fileOfLayer(layer)
}

function fileOfLayer({ file }: Layer): string | undefined {
  return file && realPath(file.path)
}

/** The part of a change that each file gets. */
export function changesByFile(
  { fileOf }: ProfileFiles,
  change: JsonObject,
): ReadonlyMap<string, JsonObject> {
  const changes = new Map<string, JsonObject>()
  for (const { path, value } of leavesIn(change)) {
    const file = fileOf(path)
    const nested = nestAt(path, value)
    if (isObject(nested)) changes.set(file, mergeJson(changes.get(file) ?? {}, nested))
  }
  return changes
}

/** Keeps the comments. */
export function withChange(before: ProfileText, change: JsonObject): ProfileText {
  const { text, patch } = before
  const after = patched(patch, change)
  return { ...before, text: editProfile(text, { before: patch, after }, []), patch: after }
}

/** A key that only a parent sets stays as `null`, which removes it. */
function patched(document: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(document))
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key)
    if (value === null && before !== undefined) merged.delete(key)
    else merged.set(key, isObject(before) && isObject(value) ? patched(before, value) : value)
  }
  return Object.fromEntries(merged)
}
