// A profile as the command line names it, judged, with the place of every finding.
import { check, type Judged } from '../check.ts'
import { concealed, correlate, located } from '../io/correlate.ts'
import { firstFindings } from '../io/first-findings.ts'
import { loadProfile, type MissingFile } from '../io/profiles.ts'
import type { Finding } from '../model/finding.ts'
import { withoutSecrets } from '../model/secret.ts'
import { Failure } from './failure.ts'
import { deaf } from './interruption.ts'
import type { ProfileFlags } from './profile-flags.ts'

export interface JudgedProfile extends Judged {
  readonly name: string
}

export interface Place {
  /** The folder of the package. */
  readonly root: string
  /** YYYY-MM-DD. */
  readonly today: string
}

/** Throws a usage failure where a file that the command line names is not there. */
export function checkProfile(profile: string, flags: ProfileFlags, place: Place): JudgedProfile {
  return judgedWith(check, profile, flags, place)
}

/** `judge` is `check`, or `compile` for who needs the plan too. */
export function judgedWith<J extends Judged>(
  judge: (...asked: Parameters<typeof check>) => J,
  profile: string,
  { layer = [], set = [], 'allow-newer': allowNewer }: ProfileFlags,
  { root, today }: Place,
): J & JudgedProfile {
  const cwd = process.cwd()
  // A pipe may let it wait.
  const loaded = deaf(() => loadProfile({ profile, layers: layer, sets: set, root, cwd }))
  const [missing] = loaded.missing
  if (missing) throw nowhere(missing)
  const judged = judge(loaded.layers, loaded.name, today, allowNewer)
  const written = { ...loaded, origin: judged.origin }
  // Of a profile that could not be read whole nobody can say what is missing or wrong together.
  const known = loaded.complete ? judged.findings : []
  const placed = correlate(known, written)
  const news = placed.filter((finding) => !alreadyTold(finding, loaded.findings))
  const findings = concealed(firstFindings(correlate([...loaded.findings, ...news], written)))
  const ignored = concealed(judged.ignored.map(({ finding }) => located(finding, written)))
  return {
    ...judged,
    findings,
    ignored: judged.ignored.map(({ finding, reason }, index) => ({
      finding: ignored[index] ?? finding,
      reason: withoutSecrets(reason),
    })),
    name: loaded.name,
  }
}

export function nowhere({ name, why, suggestion }: MissingFile): Failure {
  const guess = suggestion === undefined ? [] : [`did you mean ${suggestion}?`]
  if (why === 'a folder') {
    const hints = suggestion === undefined ? ['name a file in place of it'] : guess
    return new Failure('usage', `${name} is a folder, not a profile`, hints)
  }
  if (why === 'no such file') return new Failure('usage', `there is no file ${name}`, guess)
  const message = `there is no built-in profile ${name}`
  return new Failure('usage', message, [...guess, 'see: winnode profiles'])
}

/** What reading put in place of a value that it refused is not the person's mistake. */
function alreadyTold({ place, valueFrom }: Finding, told: readonly Finding[]): boolean {
  return told.some(
    (one) =>
      valueFrom === undefined &&
      // Without an excerpt it is the place of a file, not of a value.
      place?.excerpt !== undefined &&
      one.place?.file === place.file &&
      one.place.line === place.line &&
      one.place.column === place.column,
  )
}

/** Fields that somebody must still give; none where something is wrong besides. */
export function stillNeeds(findings: readonly Finding[]): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error')
  return errors.every(({ asks }) => asks)
    ? [...new Set(errors.flatMap(({ asks = [] }) => asks))]
    : []
}

export function rejects(findings: readonly Finding[], strict = false): boolean {
  return findings.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
}
