// Tables of Kubernetes minors: reads what its programs were asked, checks it, writes one file a minor.
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

const fieldTypes = [
  'bool',
  'duration',
  'float32',
  'float64',
  'int32',
  'int64',
  'integer, nanoseconds',
  'list of int32',
  'list of objects',
  'list of string',
  'map of resource name to quantity',
  'map of string to []string',
  'map of string to bool',
  'map of string to string',
  'object',
  'quantity',
  'string',
  'time',
  'uint32',
]

const described = (schema, description) => v.pipe(schema, v.description(description))
const text = v.pipe(v.string(), v.minLength(1))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))

const field = v.strictObject({
  type: v.picklist(fieldTypes),
  nullable: v.optional(
    described(v.literal(true), 'A pointer in Go: null or absent takes the default, zero does not.'),
  ),
  default: v.optional(
    described(v.unknown(), 'The value after defaulting; absent where it is empty or null.'),
  ),
})

const flag = v.strictObject({
  type: text,
  default: v.optional(v.string()),
  deprecated: v.optional(
    described(
      text,
      'The program’s own words; config-file stands for "This parameter should be set via the config file specified by the Kubelet\'s --config flag." A deprecated flag still works.',
    ),
  ),
  hidden: v.optional(described(v.literal(true), 'Not in the help text.')),
  help: v.optional(text),
})

const gate = v.strictObject({
  stage: v.picklist(['Alpha', 'Beta', 'GA', 'Deprecated']),
  default: v.boolean(),
  locked: described(v.boolean(), 'Only the default is accepted.'),
  needs: v.optional(
    described(v.array(text), 'Gates that must be on where this one is (1.35 and later).'),
  ),
  refusedAlone: v.optional(
    described(
      v.array(v.boolean()),
      'Values that are refused where nothing but this gate is set, for what other gates need.',
    ),
  ),
  only: v.optional(described(v.literal('kubelet'), 'kube-proxy does not register it.')),
})

const version = v.pipe(v.string(), v.regex(/^1\.\d+\.\d+(-[a-z]+\.\d+)?$/))
const flags = described(v.record(text, flag), 'Every flag that the program registers on Windows.')
const fields = described(
  v.record(text, field),
  'Every field of its configuration file, by path; `[]` is an item of a list.',
)

const minorSchema = v.strictObject({
  $schema: v.literal('./schema.json'),
  minor: v.pipe(v.string(), v.regex(/^1\.\d+$/)),
  asked: v.optional(
    described(day, 'The day on which Windows builds of the programs were asked; absent: none was.'),
  ),
  read: v.optional(
    described(
      v.strictObject({ day, why: text }),
      'Where no build was asked: the day on which the source was read, and why.',
    ),
  ),
  gates: described(v.record(text, gate), 'Every gate that the kubelet and kube-proxy register.'),
  kubelet: v.strictObject({ version, fields, flags: v.optional(flags) }),
  'kube-proxy': v.strictObject({ version, fields, flags: v.optional(flags) }),
  'kube-log-runner': v.optional(v.strictObject({ version, flags })),
})

/** Each part of a minor's file: the program it is asked of, the answer, what it holds of each name. */
const parts = [
  ['gates', undefined, 'feature-gates'],
  ['fields', 'kubelet', 'kubelet-config-fields'],
  ['flags', 'kubelet', 'kubelet-flags'],
  ['fields', 'kube-proxy', 'kube-proxy-config-fields'],
  ['flags', 'kube-proxy', 'kube-proxy-flags'],
]

/** The tables of a minor, from a folder with the answers of its programs as CONTRIBUTING.md lists them. */
export async function importMinor(minor, folder, asked) {
  const tables = { $schema: './schema.json', minor, asked }
  for (const [part, program, name] of parts) {
    const file = path.join(folder, `${name}.json`)
    const { versions, onlyKubelet = {}, ...answer } = JSON.parse(await readFile(file, 'utf8'))
    const version = versions[minor]
    if (version === undefined) throw new Error(`${file}: versions: no build of ${minor}`)
    const rows = rowsOf(minor, answer[part], (row, gate) =>
      part === 'gates' ? gateOf(row, isWithin(minor, onlyKubelet[gate])) : rowOf(row, part),
    )
    if (program === undefined) tables[part] = rows
    else if (tables[program] && tables[program].version !== version)
      throw new Error(`${file}: is of ${version}, expected ${tables[program].version}`)
    else tables[program] = { ...tables[program], version, [part]: rows }
  }
  const help = path.join(folder, 'kube-log-runner-help.txt')
  if (existsSync(help)) {
    const flags = flagsOfHelp(await readFile(help, 'utf8'))
    tables['kube-log-runner'] = { version: tables.kubelet.version, flags }
  }
  return checked(tables, folder)
}

/**
 * Flags as Go's package flag prints them; nothing is printed for the type bool, and for a default that is empty, zero or false.
 * https://cs.opensource.google/go/go/+/refs/tags/go1.24.0:src/flag/flag.go, PrintDefaults
 */
function flagsOfHelp(text) {
  const printed = [
    ...text.matchAll(/^ {2}-(\S+)(?: (\S+))?\r?\n {4}\t(.*?)(?: \(default (.*)\))?\r?$/gm),
  ]
  if (printed.length === 0) throw new Error('kube-log-runner-help.txt: names no flag')
  const rows = printed.map(([, name, type = 'bool', help, value]) => [
    name,
    { type, help, ...(value !== undefined && { default: value.replace(/^"(.*)"$/, '$1') }) },
  ])
  return Object.fromEntries(rows)
}

const gateOf = (row, isOfKubelet) => (isOfKubelet ? { ...row, only: 'kubelet' } : row)

/** A field that is left empty has no default. */
function rowOf({ default: value, ...row }, part) {
  const isEmpty = value === undefined || (part === 'fields' && (value === null || value === ''))
  return isEmpty ? row : { ...row, default: value }
}

/** By name, in any case: APIListChunking stands beside AnyVolumeDataSource. */
function rowsOf(minor, table, read) {
  const named = Object.entries(table).map(([name, rows]) => [
    name,
    rows.find(({ minors }) => isWithin(minor, minors)),
  ])
  const sorted = named
    .filter(([, row]) => row)
    .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, row]) => [name, read(withoutMinors(row), name)]))
}

function withoutMinors(row) {
  const rest = { ...row }
  delete rest.minors
  return rest
}

/** `1.25-1.30` with both ends, `1.37` alone. */
function isWithin(minor, minors) {
  if (minors === undefined) return false
  const [from, to = from] = minors.split('-').map((one) => Number(one.split('.')[1]))
  const number = Number(minor.split('.')[1])
  return number >= from && number <= to
}

/** Throws where the tables have not the shape of the schema. */
function checked(tables, source) {
  const { success, issues, output } = v.safeParse(minorSchema, tables)
  if (success) return output
  const lines = issues.map((issue) => `${source}: ${v.getDotPath(issue)}: ${issue.message}`)
  throw new Error(lines.join('\n'))
}

/** One row a line: the difference to the minor before is read line by line. */
export function asText(tables) {
  return `${object(tables, '', (value, inner) =>
    isObject(value)
      ? object(value, inner, (part, deeper) =>
          isObject(part) && Object.values(part).every(isObject)
            ? object(part, deeper, (row) => inOneLine(row))
            : inOneLine(part),
        )
      : inOneLine(value),
  )}\n`
}

function object(value, indent, write) {
  const inner = `${indent}  `
  const lines = Object.entries(value).map(
    ([name, part]) => `${inner}${JSON.stringify(name)}: ${write(part, inner)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent}}`
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function inOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${inOneLine(one)}`,
  )
  return `{ ${members.join(', ')} }`
}

/** The JSON schema of the files, for editors. */
export function schemaText() {
  return `${JSON.stringify(toJsonSchema(minorSchema), null, 2)}\n`
}

/** The tables of a folder, by minor, oldest first. */
export async function readMinors(folder) {
  const names = (await readdir(folder)).filter((name) => /^1\.\d+\.json$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      return checked(JSON.parse(await readFile(file, 'utf8')), file)
    }),
  )
  return files.sort((a, b) => Number(a.minor.slice(2)) - Number(b.minor.slice(2)))
}

/** The module `#minors`: what the program reads of each minor, as texts, since a run parses one or two of them. */
export function minorsModule(minors) {
  const texts = minors.map(({ minor, gates, kubelet, 'kube-proxy': proxy }) => [
    minor,
    JSON.stringify({
      gates,
      kubelet: kubelet.fields,
      'kube-proxy': proxy.fields,
      flags: { kubelet: kubelet.flags, 'kube-proxy': proxy.flags },
    }),
  ])
  return `export default ${JSON.stringify(Object.fromEntries(texts))}\n`
}
