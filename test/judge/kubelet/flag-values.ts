// What each type of flag takes: pflag, and component-base, cli/flag.
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { parseAddress } from '../go/ip.ts'
import { isTraceLocation } from '../go/klog.ts'
import { isLabelValue, isQualifiedName, taintEffects } from '../go/names.ts'
import { parseBoolean, parseInteger, parseUnsigned } from '../go/numbers.ts'
import { parseQuantity } from '../../../src/go/quantity.ts'
import { textOf } from '../go/scalar.ts'

/** The value of a flag that was given once or more; `undefined` where the program refuses it. */
export type FlagReader = (texts: readonly string[]) => Json | undefined

/** Each must be right, and the last one counts. */
const last =
  (read: (text: string) => Json | undefined): FlagReader =>
  (texts) => {
    const values = texts.map(read)
    return values.includes(undefined) ? undefined : values.at(-1)
  }

const known =
  <Value extends Json>(read: (text: string) => unknown, value: (text: string) => Value) =>
  (text: string) =>
    read(text) === undefined ? undefined : value(text)

const asText = (text: string) => text

function pairs(separator: string, bare = false): FlagReader {
  return (texts) => {
    const parts = texts.flatMap((text) => text.split(',')).filter((part) => part !== '')
    if (!bare && parts.some((part) => !part.includes(separator))) return undefined
    return Object.fromEntries(
      parts.map((part) => {
        const at = part.includes(separator) ? part.indexOf(separator) : part.length
        return [part.slice(0, at).trim(), part.slice(at + separator.length).trim()]
      }),
    )
  }
}

/** encoding/csv: one line of cells, in quotes or without any. */
function cells(text: string): readonly string[] | undefined {
  if (text === '') return []
  const found = [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)]
  if (found.map(([whole]) => whole).join('') !== text) return undefined
  return found.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}

function slices(given: readonly string[]): Json | undefined {
  const lists = given.map(cells)
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
}

function isRemoval(text: string): boolean {
  const [, key = '', value = '', effect] = /^([^=:]*)(?:=([^=:]*))?(?::([^:]*))?-$/.exec(text) ?? []
  const right = effect === undefined || (isLabelValue(value) && taintEffects.includes(effect))
  return isQualifiedName(key) && right && (effect !== undefined || !text.includes('='))
}

/** pkg/util/taints, ParseTaints, as RegisterWithTaintsVar calls it. */
function taints(text: string): Json | undefined {
  if (text === '') return []
  const given = text.split(',')
  // A dash at the end takes a taint away, with or without its effect.
  if (!given.filter((one) => one.endsWith('-')).every(isRemoval)) return undefined
  const list = given
    .filter((one) => !one.endsWith('-'))
    .map((one): JsonObject | undefined => {
      const [, key = '', value, effect = ''] = /^([^=:]*)(?:=([^=:]*))?:([^:]*)$/.exec(one) ?? []
      const right =
        isQualifiedName(key) && isLabelValue(value ?? '') && taintEffects.includes(effect)
      return right ? { key, ...(value !== undefined && { value }), effect } : undefined
    })
  const ids = new Set(list.map((taint) => JSON.stringify([taint?.['key'], taint?.['effect']])))
  const whole = list.flatMap((taint) => (taint ? [taint] : []))
  return ids.size < list.length || whole.length < list.length ? undefined : whole
}

/** pkg/util/flag/flags.go, ReservedMemoryVar: each flag adds its nodes. */
function reservedMemory(texts: readonly string[]): Json | undefined {
  const nodes = texts
    .filter((text) => text !== '')
    .flatMap((text) => text.split(';').map(memoryOfNode))
  const whole = nodes.flatMap((node) => (node ? [node] : []))
  return whole.length < nodes.length ? undefined : whole
}

/** `0:memory=1Gi,hugepages-2Mi=4Mi` */
function memoryOfNode(text: string): JsonObject | undefined {
  const [, node, list = ''] = /^([-+]?\d+):([^:]*)$/.exec(text) ?? []
  const limits = list.split(',').map((limit) => /^([^=]+)=([^=]+)$/.exec(limit)?.slice(1))
  const right = limits.every(
    (limit) =>
      /^(?:memory|hugepages-.*)$/s.test(limit?.[0] ?? '') && parseQuantity(limit?.[1] ?? ''),
  )
  const entries = limits.map((limit) => [limit?.[0] ?? '', limit?.[1] ?? ''] as const)
  return node !== undefined && right
    ? { numaNode: Number(node), limits: Object.fromEntries(entries) }
    : undefined
}

function gates(given: readonly string[]): Json | undefined {
  const map = pairs('=')(given)
  const entries = Object.entries(map ?? {}).map(
    ([gate, value]) => [gate, parseBoolean(textOf(value))] as const,
  )
  const wrong = map === undefined || entries.some(([, value]) => value === undefined)
  return wrong ? undefined : Object.fromEntries(entries)
}

function modules(text: string): Json | undefined {
  const list = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [, filePattern, verbosity = ''] = /^([^=]+)=([^=]*)$/.exec(part) ?? []
      const level = parseUnsigned(verbosity, 31)
      return filePattern === undefined || level === undefined
        ? undefined
        : { filePattern, verbosity: level }
    })
  const whole = list.flatMap((item) => (item ? [item] : []))
  return whole.length < list.length ? undefined : whole
}

const flagReaders: Readonly<Record<string, FlagReader>> = {
  bool: last(parseBoolean),
  string: last(asText),
  int: last((text) => parseInteger(text, 64)),
  int32: last((text) => parseInteger(text, 32)),
  int64: last((text) => parseInteger(text, 64)),
  uint64: last((text) => parseUnsigned(text, 64)),
  float32: last((text) =>
    text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined,
  ),
  duration: last(known(parseDuration, asText)),
  quantity: last(known(parseQuantity, asText)),
  ip: last((text) => (text === '' || parseAddress(text, true) ? text : undefined)),
  stringSlice: slices,
  mapStringString: pairs('='),
  mapStringBool: gates,
  colonSeparatedMultimapStringString: pairs(':'),
  '[]v1.Taint': last(taints),
  'reserved-memory': reservedMemory,
  'pattern=N,...': last(modules),
  Level: last((text) => parseUnsigned(text, 31)),
  version: last((text) => (['true', 'false', 'raw'].includes(text) ? text : undefined)),
  severity: last((text) => (/^(?:\d+|info|warning|error|fatal)$/i.test(text) ? text : undefined)),
  traceLocation: last((text) => (isTraceLocation(text) ? text : undefined)),
}

/** Thresholds of signals are written with `<`; labels may lack a value. */
const ownReaders: Readonly<Record<string, FlagReader>> = {
  'eviction-hard': pairs('<'),
  'eviction-soft': pairs('<'),
  'node-labels': pairs('=', true),
}

export function readerOfFlag(flag: string, type: string): FlagReader {
  return ownReaders[flag] ?? flagReaders[type] ?? last(asText)
}
