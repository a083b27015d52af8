// Resolves files, folders and globs of a command line to files with manifests.
import { resolve } from 'node:path'
import { compareText } from '../../model/finding.ts'
import { manifestLimit } from '../kubernetes-manifests.ts'
import { filesNamed } from '../named-files.ts'
import { type FileRead, readFile, readInput } from '../profiles/read-file.ts'

interface ManifestFiles {
  /** Paths as typed, or relative to the current folder; `-` is standard input. */
  readonly files: readonly string[]
  /** Found in a folder or by a glob, which can match other files too. */
  readonly found: boolean
}

export async function manifestFiles(name: string, cwd: string): Promise<ManifestFiles> {
  const files = name === '-' ? undefined : await filesNamed(name, cwd, 'yaml,yml,json')
  return { files: files?.toSorted(compareText) ?? [name], found: files !== undefined }
}

export function readManifestFile(file: string, cwd: string): FileRead {
  return file === '-' ? readInput(manifestLimit) : readFile(resolve(cwd, file), manifestLimit)
}

/** Whether a text has comments and separators of documents at most, such as a chart whose parts are all off. */
export function isBlank(bytes: Uint8Array): boolean {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.every((line) => /^(?:---|\.\.\.)?\s*(?:#.*)?$/.test(line))
}

/** Whether a file has an object: charts and packages also have other YAML and JSON files. */
export function hasObject(bytes: Uint8Array): boolean {
  return /^[-\s{]*["']?apiVersion["']?\s*:/m.test(new TextDecoder().decode(bytes))
}
