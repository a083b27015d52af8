// One difference of a bundle as a finding, with its place, its remedy and what it needs on a node.
import type { Drift, Owner } from '../model/drift.ts'
import { manifestNames } from '../model/bundle-path.ts'
import type { Finding, Place, Severity } from '../model/finding.ts'
import { valueAt } from '../model/json.ts'
import type { Need } from '../model/need.ts'
import { formatPath } from '../model/path.ts'
import type { PlannedFile } from '../model/plan.ts'
import { redactSecrets } from '../text/secrets.ts'
import type { BundleFile, Found } from './evidence.ts'
import { checkNeed, fileNeed, isStep, stepNeed } from './needs.ts'
import { severityOf } from './severity.ts'
import { concealedSides } from './format-value.ts'
import { profileFieldOf, purposeOf } from './purpose.ts'
import { fieldIds, fieldMessage, fieldRemedy, type absentKinds } from './messages.ts'

interface Reading {
  readonly leaf: Found
  /** The file as the profile renders it now. */
  readonly plan: PlannedFile | undefined
  /** Shared by all differences of a file. */
  readonly conceal: (line: string) => string
}

export function fieldDrift(file: BundleFile, owner: Owner, reading: Reading): Drift {
  const { leaf, plan, conceal } = reading
  const { path, key, doc, at } = leaf
  const name = formatPath(path)
  const field = profileFieldOf(file.path, plan, leaf)
  const why = purposeOf(plan, leaf)
  const sides = concealedSides(leaf)
  return {
    id: fieldIds[owner],
    severity: limitedSeverity(owner, severityOf(file.path, path.join('.'))),
    path,
    subject: `${file.path}#${name}`,
    weight: 'drift',
    ...sides,
    owner,
    need: needOfLeaf(file, leaf),
    message: fieldMessage(redactSecrets(name), sides, owner),
    remedy: fieldRemedy(owner, field),
    ...(why && { why: why.why, see: why.see }),
    ...(field && { field }),
    place: concealedPlace(doc?.place(at) ?? { file: file.shown, line: 1, column: 1 }, conceal),
    ...(key === '' && { at: 'key' as const }),
  }
}

/** An outdated file is a warning at most, because the profile sets its new value. */
function limitedSeverity(owner: Owner, severity: Severity): Severity {
  return owner === 'ours' && severity === 'error' ? 'warning' : severity
}

function concealedPlace(place: Place, conceal: Reading['conceal']): Place {
  const { excerpt } = place
  return excerpt === undefined ? place : { ...place, excerpt: conceal(excerpt) }
}

function needOfLeaf({ path: file }: BundleFile, { path, at, doc, should, was }: Found): Need {
  const [list, id] = path
  if (file !== manifestNames.bundle) return fileNeed(file, path.join('.'))
  if (list === 'preflight' && typeof id === 'string') return checkNeed(id)
  if (list !== 'steps') return fileNeed(file, path.join('.'))
  const whole = path.length === 2 ? (should ?? was) : undefined
  const step = whole ?? valueAt(doc?.value, at.slice(0, 2))
  return isStep(step) ? stepNeed(step, path) : 'install'
}

type Kinds = typeof absentKinds

/** Difference of a whole file. */
export function fileDrift(file: BundleFile, owner: Owner, kinds: Kinds): Drift {
  const { id, message, remedy } = kinds[owner]
  return {
    id,
    severity:
      file.found === undefined && owner !== 'ours'
        ? 'error'
        : limitedSeverity(owner, severityOf(file.path, '')),
    path: [],
    subject: file.path,
    weight: 'drift',
    owner,
    need: fileNeed(file.path, ''),
    message: `${file.path} ${message}`,
    remedy,
    place: { file: file.shown, line: 1, column: 1 },
  }
}

/** Same meaning, so no drift, but Install compares bytes: Assert-NodeBundleFile of the module. */
export function sameDrift(file: BundleFile, owner: Owner): Drift {
  const isOurs = owner === 'ours'
  const effect = isOurs
    ? 'has the same settings in another layout or order; Install-WinNode.ps1 of the next bundle rewrites it'
    : 'was modified, with the same settings; Install-WinNode.ps1 refuses the bundle'
  return {
    id: 'file-rewritten',
    severity: isOurs ? 'info' : 'warning',
    path: [],
    subject: file.path,
    weight: 'informational',
    owner,
    message: `${file.path} ${effect}`,
    remedy: isOurs ? 'Render it again.' : 'Render it again with --force.',
    place: { file: file.shown, line: 1, column: 1 },
  }
}

/** A file that its program cannot parse, or parses differently. */
export function brokenDrift(file: BundleFile, owner: Owner, fault: Finding): Drift {
  const about = fault.path.length > 0 ? `#${formatPath(fault.path)}` : ''
  return {
    ...fault,
    id: 'file-broken',
    severity: 'error',
    subject: `${file.path}${about}`,
    weight: 'drift',
    owner,
    need: fileNeed(file.path, ''),
    message: `${file.path}: ${redactSecrets(fault.message)}`,
    ...(fault.place && { place: concealedPlace(fault.place, redactSecrets) }),
    remedy: 'Correct the line, or render it again with --force.',
  }
}
