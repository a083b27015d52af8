// Verifies the downloads of profiles in a mirror, for `mirror --verify` and `render --verify-mirror`.
import * as Flags from '@oclif/core/flags'
import type { MirrorFile } from '../downloads/mirror.ts'
import { isAddress, type MirrorResult, verifyMirror } from '../io/mirror.ts'
import { table } from '../present/table.ts'
import type { BaseCommand } from './base.ts'
import { existingFolder } from './profile-flags.ts'

type Command = Pick<BaseCommand, 'print' | 'printError' | 'printStatus' | 'screen' | 'setExit'>

interface MirrorRequest {
  readonly place: string
  readonly files: readonly MirrorFile[]
  readonly stream: 'stdout' | 'stderr'
}

export const mirrorFlag = Flags.custom({
  helpValue: 'DIR|URL',
  parse: (place) =>
    Promise.resolve(isAddress(place) ? mirrorAddress(place) : existingFolder(place)),
})

/** What the mirror lacks goes to `stream`; sets the exit code. */
export async function verifyDownloads(
  command: Command,
  { place, files, stream }: MirrorRequest,
): Promise<{ readonly complete: boolean; readonly json: object }> {
  const results = await verifyMirror(place, files)
  const bad = results.filter(({ verdict }) => verdict !== 'same')
  if (bad.length > 0) {
    const rows = bad.map(({ file, verdict, why = '' }) => [verdict, file.path, why])
    const text = table(['RESULT', 'FILE', 'WHY'], rows, command.screen(stream))
    if (stream === 'stdout') command.print(text)
    else command.printError(text.trimEnd())
  }
  if (bad.some(({ verdict }) => verdict === 'differs')) command.setExit('drift')
  else if (bad.length > 0) command.setExit('incomplete')
  command.printStatus(`${results.length - bad.length} of ${results.length} files are verified`)
  return { complete: bad.length === 0, json: { mirror: place, files: results.map(resultJson) } }
}

function resultJson({ file, verdict, why, sha256 }: MirrorResult) {
  const { path, url, program } = file
  return { path, url, id: program?.id, verdict, why: why ?? null, sha256: sha256 ?? null }
}

/** Paths are added to its end, and the output quotes it. */
function mirrorAddress(place: string): string {
  const url = URL.canParse(place) ? new URL(place) : undefined
  if (url && url.username + url.password + url.search + url.hash === '') return place
  throw new Error('an address of a mirror has a host, and no user and no query')
}
