// The verdict of the kubelet about its command line, its configuration file and the folder of drop-ins.
// https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/server.go, NewKubeletCommand
import { isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { judgeCommandLine } from '../command-line.ts'
import { isRefused, refused, type Finding } from '../finding.ts'
import { judgeGates, type GateSettings } from '../gates.ts'
import { textOf } from '../go/scalar.ts'
import { isBefore } from '../minors.ts'
import { kubeletFlags } from '../tables.ts'
import { at, judgeZeros, put, withDefaults } from './defaults.ts'
import { readDocument } from './document.ts'
import { judgeFolder, mergeDropIns } from './drop-ins.ts'
import { Config } from './effective.ts'
import { judgeEnforcement } from './enforcement.ts'
import { fieldOfFlag } from './flag-fields.ts'
import { judgeLimits } from './limits.ts'
import { judgeLogging } from './logging.ts'
import { judgeNodeFlags } from './node-flags.ts'
import { judgeRules } from './rules.ts'
import { judgeStart } from './start.ts'

export interface KubeletInput {
  /** The words after the program's name, without the program. */
  readonly flags: readonly string[]
  /** The text of the file that --config names; absent where only the flags are asked about. */
  readonly config?: string
  /** Files in the folder that --config-dir names, by their path below it. */
  readonly dropIns?: Readonly<Record<string, string>>
  /** Whether KUBELET_CONFIG_DROPIN_DIR_ALPHA is set. */
  readonly alphaVariable?: boolean
}

export function judgeKubelet(input: KubeletInput, version: string): readonly Finding[] {
  const line = judgeCommandLine(input.flags, kubeletFlags, version)
  const flagGates = gatesIn(line.values.get('feature-gates'))
  const ofFlags = judgeGates(flagGates, version)
  const folder = textOf(line.values.get('config-dir')) !== ''
  const early = [
    ...line.findings,
    ...judgeNodeFlags(line.values, version, ofFlags.enabled),
    ...ofFlags.findings,
    ...(folder ? judgeFolder(version, input.alphaVariable === true) : []),
    ...(folder && input.config !== undefined && !input.dropIns
      ? [refused('failed to walk through kubelet dropin directory: it does not exist')]
      : []),
  ]
  if (input.config === undefined || isRefused(early)) return early
  const base = readDocument(input.config, version, 'this version')
  const zeros = judgeZeros(base.value, version)
  if (isRefused(base.findings)) return [...early, ...base.findings]
  const merged = input.dropIns
    ? mergeDropIns(base.value, input.dropIns, version)
    : { value: base.value, findings: [] }
  const read = [...early, ...base.findings, ...zeros, ...merged.findings]
  return isRefused(read) ? read : [...read, ...judgeWhole(merged.value, line.values, version)]
}

function judgeWhole(
  given: JsonObject,
  flags: ReadonlyMap<string, Json>,
  version: string,
): readonly Finding[] {
  const fileGates = gatesIn(given['featureGates'])
  const flagGates = gatesIn(flags.get('feature-gates'))
  // For the defaults, gates of the file win over gates of flags; afterwards gates of flags win.
  const ofFile = judgeGates({ ...flagGates, ...fileGates }, version)
  const both = judgeGates({ ...fileGates, ...flagGates }, version)
  const config = new Config(
    withFlags(withDefaults(given, version, both.enabled), flags),
    version,
    both.enabled,
  )
  return [
    ...(isBefore(version, '1.32') ? [] : ofFile.findings),
    ...both.findings,
    ...judgeLimits(config.document, version),
    ...judgeRules(config),
    ...judgeEnforcement(config),
    ...judgeLogging(config, new Set(flags.keys())),
    ...judgeStart(config),
  ]
}

/** Flags come over the file, and over its defaults: a zero stays. */
function withFlags(config: JsonObject, flags: ReadonlyMap<string, Json>): JsonObject {
  let whole = config
  for (const [flag, value] of flags) {
    const path = fieldOfFlag(flag)
    if (path !== undefined && at(whole, path) !== value) whole = put(whole, path, value)
  }
  return whole
}

function gatesIn(value: Json | undefined): GateSettings {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(entries.map(([gate, on]) => [gate, on === true]))
}
