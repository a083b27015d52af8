// Loads the profile that the command line names, checks it, and adds file and line to each finding.
import { check, type Checked, type CheckInput } from '../check.ts'
import { concealed, withPlaces, withPlace } from '../io/finding-places.ts'
import { limitFindings } from '../io/limit-findings.ts'
import { loadProfile, type MissingFile } from '../io/profiles.ts'
import type { Facts } from '../model/facts.ts'
import { askedFields, errorsIn, errorsWithoutAsks, type Finding } from '../model/finding.ts'
import { findingLines } from '../present/lines.ts'
import { summarize } from '../present/summary.ts'
import { didYouMean } from '../text/nearest.ts'
import { redactSecrets } from '../text/secrets.ts'
import { Failure } from './failure.ts'
import { withDefaultSignals } from './signals.ts'
import type { ProfileFlags } from './profile-flags.ts'

export interface CheckedProfile extends Checked {
  readonly name: string
  /** False if a file could not be read whole: what the rules find is left out. */
  readonly complete: boolean
  /** Adds file and line to findings that were found later. */
  readonly place: (findings: readonly Finding[]) => readonly Finding[]
}

export interface CheckContext {
  /** The folder of the package. */
  readonly root: string
  /** YYYY-MM-DD. */
  readonly today: string
}

/** Throws a usage failure for a file that the command line names and that does not exist. */
export function checkProfile(
  profile: string,
  flags: ProfileFlags,
  context: CheckContext,
): CheckedProfile {
  return runCheck(check, profile, flags, context)
}

/** Most errors of a profile that is not what the command checks. */
const maxShown = 3

/** Of a profile for what runs on its nodes; throws where it is rejected: such a node cannot run pods. */
export function acceptedFacts(profile: string, flags: ProfileFlags, context: CheckContext): Facts {
  const { facts, findings } = checkProfile(profile, flags, context)
  // A field that every cluster sets otherwise, such as the API server's address, changes nothing for pods.
  const errors = errorsWithoutAsks(findings)
  if (errors.length === 0) return facts
  // The flags can be at fault, and not the profile.
  throw new Failure('rejected', `${profile}: ${summarize(errors)}`, [
    ...findingLines(errors).trimEnd().split('\n').slice(0, maxShown),
    `see: winnode validate ${profile}${flags.set || flags.layer ? ' with the same --layer and --set' : ''}`,
  ])
}

/** `run` is `check`, or `compile` where the plan is needed too. */
export function runCheck<J extends Checked>(
  run: (...input: CheckInput) => J,
  profile: string,
  { layer = [], set = [], root: within, offline, 'allow-newer': allowNewer, facts }: ProfileFlags,
  { root, today }: CheckContext,
): J & CheckedProfile {
  const cwd = process.cwd()
  const sets = offline ? [...set, 'host.offline=true'] : set
  // The read blocks while a pipe is empty.
  const loaded = withDefaultSignals(() =>
    loadProfile({ profile, layers: layer, sets, root, cwd, within }),
  )
  const [missing] = loaded.missing
  if (missing) throw missingProfile(missing)
  const checked = run(loaded.layers, loaded.name, {
    today,
    allowNewer,
    added: facts ?? loaded.facts,
  })
  const sources = { ...loaded, origin: checked.origin }
  const { complete } = loaded
  // What a file holds that could not be read whole may be what the rules would miss.
  const known = complete ? checked.findings : []
  const added = withPlaces(known, sources).filter((one) => !isAlreadyReported(one, loaded.findings))
  const findings = concealed(limitFindings(withPlaces([...loaded.findings, ...added], sources)))
  const ignored = concealed(checked.ignored.map(({ finding }) => withPlace(finding, sources)))
  return {
    ...checked,
    findings,
    ignored: checked.ignored.map(({ finding, reason }, index) => ({
      finding: ignored[index] ?? finding,
      reason: redactSecrets(reason),
    })),
    name: loaded.name,
    complete,
    place: (later) => concealed(withPlaces(later, sources)),
  }
}

export function missingProfile({ name, why, suggestion }: MissingFile): Failure {
  const guess = didYouMean(suggestion)
  if (why === 'a folder') {
    const hints = suggestion === undefined ? ['name a file in place of it'] : guess
    return new Failure('usage', `${name} is a folder, not a profile`, hints)
  }
  if (why === 'no such file') return new Failure('usage', `${name}: no such file`, guess)
  const message = `${name}: no such file or built-in profile`
  return new Failure('usage', message, [...guess, 'see: winnode profiles'])
}

/** A value that the reader refused is replaced: a finding about the replacement would be a second one at its place. */
function isAlreadyReported({ place, valueFrom }: Finding, reported: readonly Finding[]): boolean {
  return reported.some(
    (one) =>
      valueFrom === undefined &&
      // A place without an excerpt is that of the whole file.
      place?.excerpt !== undefined &&
      one.place?.file === place.file &&
      one.place.line === place.line &&
      one.place.column === place.column,
  )
}

/** Errors of a file itself, which no rule has found: what is computed from the rest is about another profile. */
export function problemsOfFile(
  findings: readonly Finding[],
  ruled: readonly Finding[],
): readonly Finding[] {
  // A mistake of one layer has its place already, and stays if the whole profile changes.
  const ids = new Set(ruled.flatMap(({ id, place }) => (place ? [] : [id])))
  return errorsIn(findings).filter(({ id }) => !ids.has(id))
}

/** Fields that only the user can supply; empty where there are other errors too. */
export function requiredFields(findings: readonly Finding[]): readonly string[] {
  const errors = errorsIn(findings)
  return errors.every(({ asks }) => asks) ? askedFields(errors) : []
}

/** Of profiles whose downloads are listed: what only a reader knows, such as the API server endpoint, changes none. */
export function rejectingErrors(
  checked: readonly { readonly findings: readonly Finding[] }[],
): readonly Finding[] {
  return checked
    .filter((one) => requiredFields(one.findings).length === 0)
    .flatMap((one) => errorsIn(one.findings))
}
