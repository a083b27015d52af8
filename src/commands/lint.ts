// winnode lint: checks manifests of workloads for Windows nodes.
import * as Flags from '@oclif/core/flags'
import { concealed } from '../io/finding-places.ts'
import { limitFindings } from '../io/limit-findings.ts'
import { locator, start } from '../io/span.ts'
import { readManifests, type ReadManifests } from '../io/kubernetes-manifests.ts'
import {
  hasObject,
  isBlank,
  manifestFiles,
  readManifestFile,
} from '../io/kubernetes-manifests/selection.ts'
import { problem } from '../io/problems.ts'
import type { Unread } from '../io/profiles/read-file.ts'
import { compareFindings, errorsIn, type Finding, hasErrors } from '../model/finding.ts'
import { namesOf } from '../present/fleet.ts'
import { findingsJson } from '../present/json.ts'
import type { ImagePlatforms } from '../matrix/image-builds.ts'
import { lint, type LintResult } from '../workloads/lint.ts'
import type { Manifest } from '../workloads/manifest.ts'
import { readPlatforms } from '../workloads/platforms.ts'
import { imagesOf } from '../workloads/workload.ts'
import { BaseCommand } from './base.ts'
import { acceptedFacts } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { Failure } from './failure.ts'
import { readFileArgument } from './file-argument.ts'
import { argument } from './flags.ts'
import { formatFindings } from './formats/findings.ts'
import { formatFlag } from './formats/flag.ts'
import { profileFlags, strictFlag } from './profile-flags.ts'
import { withDefaultSignals } from './signals.ts'

export default class Lint extends BaseCommand {
  static override summary = 'Check workloads for Windows nodes.'
  static override examples = examples({
    'Check the manifests of a folder': 'lint ./manifests',
    'Check them for the nodes of a profile': `lint ./manifests --profile ${exampleProfile}`,
    'Check a chart of Helm': 'lint - < rendered.yaml',
    'Check the Windows builds of an image, as crane prints them':
      'lint ./web.yaml --platforms example.com/web:1.2=./web-1.2.json',
  })
  // The argument can be repeated.
  static override strict = false
  static override args = {
    file: argument({ description: 'Manifests: YAML or JSON file, folder, glob, or - for stdin.' }),
  }
  static override flags = {
    profile: Flags.string({
      helpValue: 'PROFILE',
      summary: 'Check for nodes of this profile.',
    }),
    ...profileFlags,
    platforms: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '[IMAGE=]FILE',
      summary: 'Platforms of an image, as `crane manifest IMAGE` prints them; repeatable.',
    }),
    strict: strictFlag,
    format: formatFlag('Output format.'),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Lint)
    const names = argv.map(String)
    if (names.length === 0)
      throw new Failure('usage', 'missing argument: a file, a folder, a glob, or - for stdin', [
        'see: winnode lint --help',
      ])
    const { strict, format, quiet, profile } = flags
    if (profile === undefined) refuseProfileFlags(flags)
    const context = this.checkContext(flags['as-of'])
    const node = profile === undefined ? undefined : acceptedFacts(profile, flags, context)
    const read = await readAll(names)
    if (read.others.length > 0)
      this.printStatus(`${namesOf(read.others, 10)}: no apiVersion, skipped`)
    const platforms = platformsOf(flags.platforms ?? [], read.manifests)
    const linted = lint(read.manifests, { node, platforms })
    const findings = concealed(
      limitFindings([...read.findings, ...linted.findings].toSorted(compareFindings)),
    )
    const brief = quiet && format === 'pretty'
    const report = {
      command: 'lint',
      version: this.config.version,
      profile: names.join(' '),
      strict,
      findings: brief ? errorsIn(findings, strict) : findings,
      ignored: [],
    }
    this.printStatus(countsOf(linted, read.files))
    if (!brief || report.findings.length > 0)
      this.print(
        await formatFindings(format, [report], { screen: this.screen('stdout'), several: false }),
      )
    if (format === 'pretty') this.nameExplain(report.findings)
    if (hasErrors(findings, strict)) this.setExit('rejected')
    const { workloads, services, others } = linted
    return { workloads, services, others, findings: findingsJson(findings) }
  }
}

/** They change a profile. */
function refuseProfileFlags(flags: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(flags).find(
    ([name, value]) => Object.hasOwn(profileFlags, name) && value !== undefined && value !== false,
  )
  if (given) throw new Failure('usage', `--${given[0]} needs --profile PROFILE`)
}

interface Read {
  readonly manifests: readonly Manifest[]
  readonly findings: readonly Finding[]
  /** Files without an object, in a folder. */
  readonly others: readonly string[]
  /** How many files have an object. */
  readonly files: number
}

/** Throws a usage failure for a name that means no file. */
async function readAll(names: readonly string[]): Promise<Read> {
  const manifests: Manifest[] = []
  const findings: Finding[] = []
  const others: string[] = []
  let files = 0
  const cwd = process.cwd()
  for (const name of names) {
    const named = await manifestFiles(name, cwd)
    const before = files
    for (const file of named.files) {
      const label = file === '-' ? 'standard input' : file
      // The read blocks while a pipe is empty.
      const read = withDefaultSignals(() => readManifestFile(file, cwd))
      if (read.kind === 'missing') throw new Failure('usage', `${label}: no such file or directory`)
      if (read.kind === 'folder') throw new Failure('usage', `${label}: ${read.reason}`)
      if (read.kind === 'read' && named.found && !hasObject(read.bytes)) {
        others.push(label)
        continue
      }
      if (read.kind === 'read' && isBlank(read.bytes)) continue
      files += 1
      const one = read.kind === 'read' ? readManifests(read.bytes, label) : unreadable(label, read)
      for (const manifest of one.manifests) manifests.push(manifest)
      for (const finding of one.findings) findings.push(finding)
    }
    if (files === before)
      throw new Failure('usage', `${name === '-' ? 'standard input' : name}: no manifest found`)
  }
  return { manifests, findings, others, files }
}

function unreadable(file: string, { reason, remedy }: Unread): ReadManifests {
  const place = locator(file, '', false)(start)
  return { manifests: [], findings: [problem('unreadable', { place }, reason, remedy)] }
}

/** A file without the name of its image is of the only image there is. */
function platformsOf(
  given: readonly string[],
  manifests: readonly Manifest[],
): ReadonlyMap<string, ImagePlatforms> {
  const images = imagesOf(manifests)
  return new Map(
    given.map((one) => {
      const at = one.lastIndexOf('=')
      const [only, another] = images
      const image = at === -1 ? only : one.slice(0, at)
      if (image === undefined || (at === -1 && another !== undefined))
        throw new Failure(
          'usage',
          `--platforms ${one}: the manifests name ${images.length} images`,
          ['write --platforms IMAGE=FILE, with the image as in the manifest'],
        )
      if (!images.includes(image))
        throw new Failure('usage', `--platforms ${one}: no container has the image ${image}`)
      const file = one.slice(at + 1)
      const platforms = readPlatforms(readFileArgument(file))
      if (typeof platforms === 'string') throw new Failure('usage', `${file}: ${platforms}`)
      return [image, platforms]
    }),
  )
}

/** Nothing found in nothing is no good news. */
function countsOf({ workloads, services, others }: LintResult, files: number): string {
  const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  const what = [
    workloads === 0 ? 'no workload for Windows' : `${many(workloads, 'workload')} for Windows`,
    ...(others > 0 ? [many(others, 'other workload')] : []),
    ...(services > 0 ? [many(services, 'Service')] : []),
  ]
  return `${what.join(', ')} in ${many(files, 'file')}`
}
