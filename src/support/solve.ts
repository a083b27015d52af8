// Solves a profile: the best supported values of the versions and of the network that it leaves out.
import {
  checkErrors,
  checkWithoutUpgrades,
  judge,
  type Checked,
  type CheckInput,
} from '../check.ts'
import { carries, cniNames, cniOf } from '../cni/index.ts'
import { linesWith } from '../matrix/containerd.ts'
import { minorsWith } from '../matrix/kubernetes.ts'
import { runsKubernetes, windowsWith } from '../matrix/windows.ts'
import type { CheckOptions } from '../model/facts.ts'
import { groupBy } from '../model/group-by.ts'
import { askedFields, errorsWithoutAsks, type Finding } from '../model/finding.ts'
import { isObject, mergeJson, nestAt, valueAt, type Json, type JsonObject } from '../model/json.ts'
import { computedLayer } from '../model/layer.ts'
import { formatPath, type Path } from '../model/path.ts'
import { compareRanks } from '../model/rank.ts'
import { mergeLayers } from '../profile/merge.ts'
import { networkName, networksOf, patchOfNetwork, type NetworkChoice } from './networks.ts'

/** A value for a field that the profile leaves out. */
interface Choice {
  readonly path: Path
  readonly value: Json
  /** Why this value and not the next best one. */
  readonly reason: string
}

export interface Solution {
  readonly choices: readonly Choice[]
  /** The profile with these values. */
  readonly solved: Checked
  /** The day on which the first of Windows, Kubernetes and containerd is no longer supported. */
  readonly supportedUntil: string
}

/** No values of the fields that are left out go with these fields of the profile; without any one of them, some do. */
export interface Conflict {
  readonly fields: readonly { readonly path: Path; readonly value: Json }[]
  /** The errors of the nearest combination. */
  readonly findings: readonly Finding[]
}

/**
 * Deterministic: no error, then fewest fields that only the user knows, each an error until it is set, fewest warnings,
 * longest support, newest versions.
 * An error that no value of these fields changes makes it a conflict. `profile` has no structural errors.
 */
export function solve(profile: CheckInput): Solution | Conflict {
  const { document } = mergeLayers(profile[0])
  const candidates = withOtherLines(profile, document, candidatesOf(profile, document))
  const best = bestOf(candidates)
  if (best.errors.length > 0) return conflictOf(profile, document, best)
  const choices = axes.flatMap((axis): readonly Choice[] => {
    const free = axis.fields.filter(
      ({ path, read }) =>
        valueAt(document, path) === undefined &&
        carries(best.solved.facts.spec.network.cni, path) &&
        read(best.solved) !== '',
    )
    const others = candidates.filter((one) =>
      axes.every(
        (each) =>
          each === axis || each === containerdAxis || valueOf(each, one) === valueOf(each, best),
      ),
    )
    const decided = best.solved.decisions.find(({ subject }) => subject === axis.subject)
    return free.map((field) => {
      const before = axis.fields.slice(0, axis.fields.indexOf(field))
      const [next] = others
        .filter(
          (one) =>
            field.read(one.solved) !== field.read(best.solved) &&
            before.every(({ read }) => read(one.solved) === read(best.solved)),
        )
        .toSorted(byRank)
      const reason = next
        ? reasonOf(best, axis === containerdAxis ? next : withLineOf(best, next, profile), axis)
        : (axis.only?.(best.solved, field.path) ?? decided?.reason ?? 'the default')
      return { path: field.path, value: field.read(best.solved), reason }
    })
  })
  const [layers, name, options] = profile
  const solved = checkWithoutUpgrades([...layers, layerOf(best.patch)], name, options)
  return { choices, solved, supportedUntil: best.supportedUntil }
}

interface Axis {
  /** Decided together. */
  readonly fields: readonly {
    readonly path: Path
    readonly read: (solved: Checked) => string
  }[]
  /** The preferred last. */
  readonly values: (options: CheckOptions, document: JsonObject) => readonly JsonObject[]
  /** With unsupported ones. */
  readonly all?: (options: CheckOptions) => readonly JsonObject[]
  /** With values that only the user chooses. */
  readonly any?: readonly JsonObject[]
  /** The decision of the profile that has the reason, if no other value was tried. */
  readonly subject?: string
  /** Why this value, if the fields before it leave no other. */
  readonly only?: (solved: Checked, path: Path) => string | undefined
  /** The value in a reason. */
  readonly name?: (solved: Checked) => string
  /** Why this value, if nothing else decides between it and the next one. */
  readonly preferred: (next: string) => string
}

const releasesOf = ({ added }: CheckOptions) => windowsWith(added).filter(runsKubernetes)
const windowsPatch = ({ id }: { readonly id: string }) => ({ windows: { release: id } })
const kubernetesPatch = ({ newestPatch }: { readonly newestPatch: string }) => ({
  kubernetes: { version: newestPatch },
})

const containerdPath: Path = ['containerd', 'version']

/** The preferred last. */
const networks = networksOf(cniNames).toReversed()

/** A provider’s own image, and a plugin that winnode does not know, are decisions of the user. */
const isOffered = ({ cni }: NetworkChoice) => !cniOf(cni).image && cni !== 'none'

/** Why this value, if the fields before it leave no other. */
const only: Readonly<Record<string, (network: NetworkChoice) => string>> = {
  cni: () => 'the only network plugin that fits',
  mode: ({ cni }) => `the only mode of ${cni} that fits`,
  backend: ({ cni, mode }) => `the only backend of ${cni} ${mode}`,
}

/** Where other versions were not tried: they have ended, or all have. */
const onlySupported =
  (endsOf: (options: CheckOptions) => readonly string[]) =>
  ({ facts }: Checked): string =>
    endsOf(facts).some((end) => facts.today <= end)
      ? `the only version still supported on ${facts.today}`
      : `the default; no version is supported on ${facts.today}`

const newer = (next: string) => `newer than ${next}, which is supported as long`
const asDefault = (next: string) => `the default; ${next} is supported as long`

const containerdAxis: Axis = {
  fields: [{ path: containerdPath, read: ({ facts }) => facts.spec.containerd.version }],
  // What the Kubernetes version gets by default; `withOtherLines` adds the lines that can be better.
  values: () => [{}],
  subject: 'containerd',
  preferred: asDefault,
}

const axes: readonly Axis[] = [
  {
    fields: [{ path: ['windows', 'release'], read: ({ facts }) => facts.spec.windows.release }],
    values: (options) =>
      releasesOf(options)
        .filter(({ extendedEnd }) => options.today <= extendedEnd)
        .map(windowsPatch),
    all: (options) => releasesOf(options).map(windowsPatch),
    only: onlySupported((options) => releasesOf(options).map(({ extendedEnd }) => extendedEnd)),
    preferred: newer,
  },
  {
    fields: [
      { path: ['kubernetes', 'version'], read: ({ facts }) => facts.spec.kubernetes.version },
    ],
    values: ({ today, added }) =>
      minorsWith(added)
        .filter(({ endOfLife }) => today <= endOfLife)
        .map(kubernetesPatch),
    all: ({ added }) => minorsWith(added).map(kubernetesPatch),
    only: onlySupported(({ added }) => minorsWith(added).map(({ endOfLife }) => endOfLife)),
    subject: 'kubelet',
    preferred: newer,
  },
  containerdAxis,
  {
    fields: [
      { path: ['network', 'cni'], read: ({ facts }) => facts.spec.network.cni },
      { path: ['network', 'mode'], read: ({ facts }) => facts.spec.network.mode },
      { path: ['network', 'backend'], read: ({ facts }) => facts.spec.network.backend },
    ],
    values: (_, document) =>
      networks
        .filter((one) => isOffered(one) || valueAt(document, ['network', 'cni']) !== undefined)
        .map(patchOfNetwork),
    any: networks.map(patchOfNetwork),
    name: ({ facts }) => networkName(facts.spec.network),
    only: ({ facts }, path) => only[String(path.at(-1))]?.(facts.spec.network),
    preferred: asDefault,
  },
]

interface Candidate {
  readonly patch: JsonObject
  readonly solved: Checked
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
  /** Fields that only the user knows. */
  readonly needs: readonly string[]
  readonly supportedUntil: string
  readonly rank: readonly number[]
}

const valueOf = ({ fields }: Axis, { solved }: Candidate): string =>
  fields.map(({ read }) => read(solved)).join(' ')

/** Supported ones; where none of them fits, all. Never empty. */
function candidatesOf(profile: CheckInput, document: JsonObject): readonly Candidate[] {
  const found = patchesOf(profile, document, 'supported').map((patch) =>
    candidateOf(profile, patch),
  )
  if (found.some(({ errors }) => errors.length === 0)) return found
  return patchesOf(profile, document, 'all').map((patch) => candidateOf(profile, patch))
}

/** Each supported line for the best candidate of each Kubernetes version, if it has something to improve. */
function withOtherLines(
  profile: CheckInput,
  document: JsonObject,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (valueAt(document, containerdPath) !== undefined) return candidates
  const [, , { today, added }] = profile
  const versions = groupBy(candidates, ({ solved }) => solved.facts.spec.kubernetes.version)
  const lines = linesWith(added).filter(({ endOfLife }) => today <= endOfLife)
  return [...versions.values()]
    .map(bestOf)
    .reduce(
      (all, one) =>
        one.errors.length + one.warnings.length === 0
          ? all
          : [...all, ...lines.map((line) => withLine(profile, one, line.newestPatch))],
      candidates,
    )
}

function withLine(profile: CheckInput, { patch }: Candidate, version: string): Candidate {
  return candidateOf(profile, mergeJson(patch, patchOf(containerdPath, version)))
}

/** With the containerd of the best one, so that only the values of one axis differ. */
function withLineOf(best: Candidate, other: Candidate, profile: CheckInput): Candidate {
  const line = valueAt(best.patch, containerdPath)
  return typeof line === 'string' ? withLine(profile, other, line) : other
}

function patchesOf(
  [, , options]: CheckInput,
  document: JsonObject,
  which: 'supported' | 'all' | 'any',
): readonly JsonObject[] {
  const values = (axis: Axis) =>
    (which === 'any' ? axis.any : undefined) ??
    (which === 'supported' ? undefined : axis.all?.(options)) ??
    axis.values(options, document)
  return productOf(axes.map((axis) => fitting(axis, values(axis), document)))
}

/** The values that change nothing of what the profile sets. */
function fitting(
  { fields }: Axis,
  values: readonly JsonObject[],
  document: JsonObject,
): readonly JsonObject[] {
  const set = fields.filter(({ path }) => valueAt(document, path) !== undefined)
  const fit = values.filter((patch) =>
    set.every(({ path }) => valueAt(patch, path) === valueAt(document, path)),
  )
  return set.length === fields.length || fit.length === 0 ? [{}] : fit
}

/** Every combination of one patch of each list, merged. */
function productOf(lists: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  return lists.reduce<readonly JsonObject[]>(
    (made, list) => made.flatMap((patch) => list.map((one) => mergeJson(patch, one))),
    [{}],
  )
}

function candidateOf([layers, name, options]: CheckInput, patch: JsonObject): Candidate {
  const solved = judge([...layers, layerOf(patch)], name, options)
  const { findings, facts } = solved
  const { windows, kubernetes, containerd } = facts
  const errors = errorsWithoutAsks(findings)
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  const needs = askedFields(findings)
  const ends = [windows.extendedEnd, kubernetes.endOfLife, containerd.endOfLife]
  const supportedUntil = ends.toSorted()[0] ?? ''
  const [minors, lines] = [minorsWith(options.added), linesWith(options.added)]
  return {
    patch,
    solved,
    errors,
    warnings,
    needs,
    supportedUntil,
    rank: [
      -errors.length,
      -needs.length,
      -warnings.length,
      Number(supportedUntil.replaceAll('-', '')),
      networks.findIndex(
        ({ cni, mode, backend }) =>
          cni === facts.spec.network.cni &&
          mode === facts.spec.network.mode &&
          backend === facts.spec.network.backend,
      ),
      minors.indexOf(kubernetes),
      windows.build,
      // The default, such as a long-term line, unless another one is better.
      valueAt(patch, containerdPath) === undefined ? lines.length : lines.indexOf(containerd),
    ],
  }
}

const layerOf = (patch: JsonObject) => computedLayer('solve', patch)

/** The best first. */
const byRank = (a: Candidate, b: Candidate): number => compareRanks(b.rank, a.rank)

const bestOf = (candidates: readonly Candidate[]): Candidate =>
  candidates.reduce((best, one) => (byRank(one, best) < 0 ? one : best))

/** The first difference that decided against the other value. */
function reasonOf(best: Candidate, other: Candidate, axis: Axis): string {
  const name = axis.name?.(other.solved) ?? valueOf(axis, other)
  const ids = (findings: readonly Finding[]) =>
    [...new Set(findings.map(({ id }) => id))].join(', ')
  if (other.errors.length > 0) return `${name} is refused: ${ids(other.errors)}`
  if (other.needs.length > best.needs.length) {
    return `${name} also needs ${other.needs.filter((one) => !best.needs.includes(one)).join(', ')}`
  }
  if (other.warnings.length > best.warnings.length) {
    const known = new Set(best.warnings.map(({ id }) => id))
    return `${name} adds warnings: ${ids(other.warnings.filter(({ id }) => !known.has(id)))}`
  }
  if (other.supportedUntil !== best.supportedUntil)
    return `supported until ${best.supportedUntil}; ${name} until ${other.supportedUntil}`
  return axis.preferred(name)
}

/** Versions that are never free, but can exclude one that is. */
const others: readonly Path[] = [
  ['kubernetes', 'apiServer'],
  ['kubernetes', 'kubeProxy'],
  ['kubernetes', 'kubeadm'],
]

/** Leaves out one field after the other as long as nothing fits without it either. */
function conflictOf(profile: CheckInput, document: JsonObject, best: Candidate): Conflict {
  const waiting = new Map<string, Path>()
  const add = (paths: readonly Path[]) => {
    for (const path of paths)
      if (valueAt(document, path) !== undefined) waiting.set(formatPath(path), path)
  }
  add([...axes.flatMap(({ fields }) => fields.map(({ path }) => path)), ...others])
  let [left, findings] = [profile, best.errors]
  const fields: Path[] = []
  add(findings.flatMap(({ path }) => fieldAt(document, path)))
  // A user who gives up a plugin can choose one that is never proposed.
  const which = valueAt(document, ['network', 'cni']) === undefined ? 'all' : 'any'
  // A map also visits what is added meanwhile: the errors that are left can be about other fields.
  for (const path of waiting.values()) {
    const [layers, name, options] = left
    const freed: CheckInput = [[...layers, layerOf(patchOf(path, null))], name, options]
    const errors = fewestErrors(freed, which)
    if (errors.length === 0) {
      fields.push(path)
    } else {
      left = freed
      findings = errors
      add(errors.flatMap((one) => fieldAt(document, one.path)))
    }
  }
  return {
    fields: fields.map((path) => ({ path, value: valueAt(document, path) ?? null })),
    findings,
  }
}

/** The errors of the nearest combination; none as soon as one fits. */
function fewestErrors(profile: CheckInput, which: 'all' | 'any'): readonly Finding[] {
  const [layers, name, options] = profile
  let fewest: readonly Finding[] | undefined
  // The newest versions first: they are the ones that fit most often.
  for (const patch of patchesOf(profile, mergeLayers(layers).document, which).toReversed()) {
    const { findings } = checkErrors([...layers, layerOf(patch)], name, options)
    const errors = findings.filter(({ asks }) => !asks)
    if (errors.length === 0) return errors
    if (!fewest || errors.length < fewest.length) fewest = errors
  }
  return fewest ?? []
}

/** The path, up to a list. */
function fieldAt(document: JsonObject, path: Path): readonly Path[] {
  const end = path.findIndex((step) => typeof step === 'number')
  const at = end < 0 ? path : path.slice(0, end)
  return at.length > 0 && valueAt(document, at) !== undefined ? [at] : []
}

export function patchOf(path: Path, value: Json): JsonObject {
  const patch = nestAt(path, value)
  return isObject(patch) ? patch : {}
}
