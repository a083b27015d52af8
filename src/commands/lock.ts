// winnode lock: pins downloads and images of profiles by digest, in winnode.lock beside them.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as Flags from '@oclif/core/flags'
import { downloadsOf, imagesOf, type MirrorFile } from '../downloads/mirror.ts'
import { lstat } from '../io/disk.ts'
import { verifyMirror } from '../io/mirror.ts'
import { lockFile } from '../io/profiles.ts'
import { isPath } from '../io/profiles/profile-file.ts'
import { profilesAround, selectProfiles } from '../io/profiles/selection.ts'
import { fetchDigest, UnpublishedError } from '../io/published.ts'
import { below, beside } from '../io/native-path.ts'
import { realPath } from '../io/real-path.ts'
import { compareText } from '../model/finding.ts'
import type { Facts } from '../model/facts.ts'
import { groupBy } from '../model/group-by.ts'
import { findingsJson } from '../present/json.ts'
import { oneLine } from '../present/one-line.ts'
import { table } from '../present/table.ts'
import { doubleQuoted } from '../render/quote/double-quoted.ts'
import { checksumMissing } from '../rules/downloads.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, rejectingErrors } from './check-profile.ts'
import { destinationOf, writeTo } from './destination.ts'
import { examples } from './examples.ts'
import { Failure } from './failure.ts'
import { existingFolder, profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles } from './selected-profiles.ts'

/** SHA-256 by the publisher's URL of a download, or by image. */
type Pins = ReadonlyMap<string, string>

interface Problem {
  readonly what: string
  readonly why: string
}

export default class Lock extends BaseCommand {
  static override summary = 'Pin downloads and images in winnode.lock.'
  static override examples = examples({
    'Pin what a profile downloads, from the publishers’ checksums': 'lock ./node.yaml',
    'Pin what a folder of files has': 'lock ./nodes --from ./mirror',
    'Exit 4 if a lock is outdated': 'lock ./nodes --check',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    profile: profilesFlag,
    from: Flags.string({
      helpValue: 'DIR',
      summary: 'Pin the files in this folder, as winnode mirror lists them; no network.',
      parse: (folder) => Promise.resolve(existingFolder(folder)),
    }),
    check: Flags.boolean({
      exclusive: ['from'],
      summary: 'Exit 4 if winnode.lock lacks a file or has too many; write nothing.',
    }),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Lock)
    const { root } = this.config
    const { profile: named = [], layer = [], set = [] } = flags
    const names = [...argv.map(String), ...named]
    const selected = await selectedProfiles(this, names)
    const today = this.today(flags['as-of'])
    const folders = await withSiblings(names, selected.profiles, { root, within: flags.root })
    const subjects = folders.map((profiles) => ({
      profile: beside(profiles[0] ?? '', lockFile),
      checked: profiles.map((one) => checkProfile(one, flags, { root, today })),
    }))
    return this.forEach(subjects, subjects.length > 1, async ({ profile: lock, checked }) => {
      const findings = rejectingErrors(
        checked.map((one) => ({
          findings: one.findings.filter(({ id }) => id !== checksumMissing.id),
        })),
      )
      if (findings.length > 0) {
        this.reject({ findings })
        return { lock, findings: findingsJson(findings) }
      }
      const facts = checked.map((one) => one.facts)
      // What a layer adds is for that layer only, and the profile alone needs the rest.
      const prunes = layer.length + set.length === 0
      if (flags.check) return this.check(lock, facts, prunes)
      return this.write(lock, facts, prunes, flags.from)
    })
  }

  private check(lock: string, profiles: readonly Facts[], prunes: boolean): object {
    const locked = lockedBy(profiles)
    const files = downloadsOf(profiles).flatMap(({ url, program }) => (program ? [url] : []))
    const { pinned, open } = imagePins(profiles)
    const needed = new Set([...files, ...pinned.keys(), ...open])
    const missing = [...new Set([...files, ...pinned.keys()])].filter((one) => !locked.has(one))
    const extra = prunes ? [...locked.keys()].filter((one) => !needed.has(one)) : []
    if (missing.length + extra.length > 0) {
      this.setExit('drift')
      const rows = [
        ...missing.map((one) => ['missing', one]),
        ...extra.map((one) => ['extra', one]),
      ]
      this.print(table(['RESULT', 'FILE'], rows, this.screen('stdout')))
    } else this.printStatus(`${lock}: ${locked.size} pinned, as the profiles need`)
    this.printUnpinned(open)
    return { lock, missing, extra, notPinned: open }
  }

  private async write(
    lock: string,
    profiles: readonly Facts[],
    prunes: boolean,
    from: string | undefined,
  ): Promise<object> {
    const files = downloadsOf(profiles)
    const { pins, problems } = await (from === undefined
      ? pinsOfPublishers(files)
      : pinsOfFolder(files, from))
    if (problems.length > 0) {
      this.setExit('incomplete')
      for (const { what, why } of problems) this.printError(oneLine(`${what}: ${why}`))
      this.printError(oneLine(`${lock}: nothing written`))
      if (from === undefined)
        this.printStatus(
          'without network: winnode mirror --format curl, then winnode lock --from DIR',
        )
      return { lock, problems }
    }
    const images = imagePins(profiles, from)
    const before = lockedBy(profiles)
    const after = new Map([...(prunes ? [] : before), ...pins, ...images.pinned])
    const text = lockText(after)
    const destination = destinationOf(lock, {
      name: lockFile,
      instead: 'a lock is a file beside the profiles, in a folder that you may write to',
    })
    if (destination.before !== undefined && readFileSync(destination.file, 'utf8') === text)
      this.printStatus(`${lock}: ${after.size} pinned, unchanged`)
    else {
      writeTo(destination, text)
      this.printStatus(`wrote ${lock}: ${after.size} pinned`)
    }
    this.printUnpinned(images.open)
    return { lock, pinned: Object.fromEntries(after), notPinned: images.open }
  }

  private printUnpinned(images: readonly string[]): void {
    for (const image of images) this.printStatus(`not pinned: ${image}`)
  }
}

/** The profiles of each folder with a lock: those that no other one extends, and those that the user named. */
async function withSiblings(
  names: readonly string[],
  profiles: readonly string[],
  { root, within }: { readonly root: string; readonly within: string | undefined },
): Promise<readonly (readonly string[])[]> {
  for (const profile of profiles) {
    if (profile === '-')
      throw new Failure('usage', `standard input has no folder for ${lockFile}`, ['name a file'])
    if (!isPath(profile))
      throw new Failure('usage', `${profile} is not a file: ${lockFile} is beside one`, [
        `write a profile that extends it`,
      ])
  }
  const folders = groupBy(profiles, (profile) => resolve(dirname(profile)))
  return Promise.all(
    [...folders].map(async ([folder, selected]) => {
      const own = await selectProfiles([folder], { root, cwd: folder, unnamed: 'files' })
      const { extended } = await profilesAround(folder, { root, within })
      const bases = new Set(extended.map((one) => realPath(one)))
      const leaves = own.profiles.filter((one) => !bases.has(realPath(one)))
      const typed = dirname(selected[0] ?? '')
      const members = new Map(leaves.map((one) => [one, below(typed, basename(one))]))
      for (const one of selected) if (names.includes(one)) members.set(resolve(one), one)
      return members.size > 0 ? [...members.values()] : selected
    }),
  )
}

function lockedBy(profiles: readonly Facts[]): Pins {
  return new Map(profiles.flatMap(({ spec }) => Object.entries(spec.artifacts.lock)))
}

async function pinsOfPublishers(files: readonly MirrorFile[]) {
  const pins = new Map<string, string>()
  const problems: Problem[] = []
  await Promise.all(
    files.map(async ({ url, program }) => {
      if (!program) return
      const { checksum } = program
      if (checksum?.kind === 'pinned') pins.set(url, checksum.sha256)
      else if (!checksum)
        problems.push({ what: url, why: 'the publisher has no checksum: use --from DIR' })
      else
        try {
          pins.set(url, await fetchDigest(checksum))
        } catch (thrown) {
          if (!(thrown instanceof UnpublishedError)) throw thrown
          problems.push({ what: checksum.url, why: thrown.message })
        }
    }),
  )
  return { pins, problems: problems.toSorted((a, b) => compareText(a.what, b.what)) }
}

async function pinsOfFolder(files: readonly MirrorFile[], folder: string) {
  const results = await verifyMirror(folder, files)
  // A file that the publisher has no checksum of is pinned as it is.
  const isGood = ({ verdict, file, sha256 }: (typeof results)[number]) =>
    verdict === 'same' || (sha256 !== undefined && !file.program?.checksum)
  return {
    pins: new Map(results.filter(isGood).map(({ file, sha256 = '' }) => [file.url, sha256])),
    problems: results
      .filter((one) => !isGood(one))
      .map(({ file, verdict, why = verdict }) => ({ what: join(folder, file.path), why })),
  }
}

/** Images with a digest in a profile, in the lock, or in images.txt of the folder. */
function imagePins(profiles: readonly Facts[], folder?: string) {
  const list = folder === undefined ? '' : join(folder, 'images.txt')
  const lines = list !== '' && lstat(list) ? readFileSync(list, 'utf8').split(/\s+/) : []
  const listed = new Map(lines.flatMap((line) => digestIn(line)))
  const images = imagesOf(profiles)
  const pinned = new Map(
    images.flatMap((image) => {
      const found = listed.get(image)
      return found === undefined ? digestIn(image) : [[image, found] as const]
    }),
  )
  return { pinned, open: images.filter((image) => !image.includes('@') && !pinned.has(image)) }
}

function digestIn(image: string): readonly (readonly [name: string, sha256: string])[] {
  const [, name, sha256] = /^(.+)@sha256:([0-9a-f]{64})$/.exec(image) ?? []
  return name === undefined || sha256 === undefined ? [] : [[name, sha256]]
}

function lockText(pins: Pins): string {
  const lines = [...pins]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([what, sha256]) => `    ${doubleQuoted(what)}: ${doubleQuoted(sha256)}\n`)
  const body = lines.length === 0 ? '  lock: {}\n' : `  lock:\n${lines.join('')}`
  return `# Written by winnode lock; commit it with the profiles.\napiVersion: winnode/v1\nkind: NodeProfile\nartifacts:\n${body}`
}
