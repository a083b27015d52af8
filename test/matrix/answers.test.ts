// Tables of the minors, compared with recorded verdicts of the programs about files and command lines.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { featureGates, kubeletFields, kubeletFlags, kubeProxyFields } from '../judge/tables.ts'
import { kubeProxyFlags, minors, type Table } from '../judge/tables.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { root } from '../tools/run.ts'

interface Case {
  readonly id: string
  readonly base?: string
  readonly input?: JsonObject
  readonly change?: JsonObject
  readonly answers: readonly {
    readonly versions: readonly string[]
    readonly verdict: 'accepted' | 'warned' | 'ignored' | 'refused'
    readonly message?: string
  }[]
}

interface Program {
  readonly name: 'kubelet' | 'kube-proxy'
  readonly files: readonly string[]
  readonly fields: Table<{ readonly type: string }>
  readonly flags: Table<unknown>
}

const programs: readonly Program[] = [
  {
    name: 'kubelet',
    files: ['kubelet-config', 'kubelet-flags'],
    fields: kubeletFields,
    flags: kubeletFlags,
  },
  {
    name: 'kube-proxy',
    files: ['kube-proxy-config'],
    fields: kubeProxyFields,
    flags: kubeProxyFlags,
  },
]

/** What a verdict shows of a name in a minor. */
interface Shown {
  readonly name: string
  readonly minor: string
  readonly known: boolean
  readonly from: string
}

const read = (name: string): readonly Case[] => {
  const file = path.join(root, 'test/upstream/verdicts', `${name}.json`)
  const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(file, 'utf8'))
  return cases
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(String) : []

/** Paths of a document as the tables write them; names of signals and resources are values. */
function pathsOf(
  value: Json | undefined,
  types: ReadonlyMap<string, string>,
  prefix = '',
): readonly string[] {
  return Object.entries(objectOf(value)).flatMap(([name, inner]) => {
    const key = `${prefix}${name}`
    if (types.get(key) === 'object') return [key, ...pathsOf(inner, types, `${key}.`)]
    if (types.get(key) !== 'list of objects' || !Array.isArray(inner)) return [key]
    return [key, ...inner.flatMap((item: Json) => pathsOf(item, types, `${key}[].`))]
  })
}

/** Of any minor: a document may have what its program does not know. */
const typesOf = (fields: Program['fields']) =>
  new Map(
    minors.flatMap(({ minor }) =>
      [...fields(minor)].map(([key, { type }]) => [key, type] as const),
    ),
  )

/** Messages about values: a program checks them once it has read flags, file and gates. */
const judgesValues =
  /^(?:failed to validate kubelet configuration|failed validate|initialize logging)\b/

/** The documents of YAML or JSON, as far as it is any. */
function documentsIn(text: Json | undefined): readonly JsonObject[] {
  if (typeof text !== 'string') return []
  return parseAllDocuments(text).flatMap((document) => {
    const value: Json = document.errors.length > 0 ? null : document.toJS()
    return isObject(value) ? [value] : []
  })
}

/** The configuration that a case gives its program: the file, then the files of the drop-in folder. */
function documentsOf(one: Case, base: JsonObject): readonly JsonObject[] {
  const change = objectOf(one.change)
  const dropIns = Object.values(objectOf(change['dropIns'])).flatMap(documentsIn)
  if ('text' in change) return documentsIn(change['text']).slice(0, 1)
  const config = {
    ...objectOf(base['config']),
    ...objectOf(one.input?.['config']),
    ...objectOf(change['config']),
  }
  return [config, ...dropIns]
}

const flagsOf = (words: readonly string[]) =>
  // pflag reads underscores as dashes.
  words.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1]?.replaceAll('_', '-') ?? [])

const named = (message: string, pattern: RegExp): readonly string[] =>
  [...message.matchAll(pattern)].flatMap((match) => match.slice(1).join(' ').split(/[, ]+/))

/** Names that a message shows to be known, or unknown, to the program that says it. */
const namesIn = (message: string) => ({
  fields: { known: [], unknown: named(message, /unknown field \\?"([^"\\]+)/g) },
  gates: {
    known: [
      ...named(message, /feature gate (\w+) to \w+, feature is locked/g),
      ...named(
        message,
        /(\w+) is enabled, but depends on features that are disabled: \[([^\]]*)\]/g,
      ),
    ],
    unknown: named(message, /unrecognized feature gate: (\w+)/g),
  },
  flags: {
    known: named(message, /(?:for "(?:-\w, )?|argument: |Flag )--([\w-]+)(?:" flag|$| has been)/gm),
    unknown: named(message, /unknown flag: --([\w-]+)/g),
  },
})

function shownBy({ name, files, fields }: Program): readonly Shown[] {
  const types = typesOf(fields)
  return files.flatMap((file) => {
    const cases = read(file)
    return cases.flatMap((one) => {
      const base = objectOf(cases.find(({ id }) => id === one.base)?.input)
      const documents = documentsOf(one, base)
      const command = [base['command'], one.input?.['command'], objectOf(one.change)['flags']]
      const given = {
        fields: documents.flatMap((document) => pathsOf(document, types)),
        gates: documents.flatMap((document) => Object.keys(objectOf(document['featureGates']))),
        flags: flagsOf(command.flatMap(textsOf)),
      }
      return one.answers.flatMap(({ versions, verdict, message = '' }) => {
        const said = namesIn(message)
        const took = verdict !== 'refused' || judgesValues.test(message)
        const from = `${file}: ${one.id}`
        return versions.flatMap((minor) =>
          (['fields', 'gates', 'flags'] as const).flatMap((kind) => {
            const { known, unknown } = said[kind]
            const row = (is: boolean) => (what: string) => ({
              name: `${name} ${kind.slice(0, -1)} ${what}`,
              minor,
              known: is,
              from,
            })
            // Of what is below a field that is unknown the program says no more.
            const reached = (took ? given[kind] : []).filter(
              (what) => !unknown.some((no) => what === no || what.startsWith(`${no}.`)),
            )
            return [...[...reached, ...known].map(row(true)), ...unknown.map(row(false))]
          }),
        )
      })
    })
  })
}

/** kubeadm has the types of the kubelet's and kube-proxy's files, and writes their fields into the ConfigMaps of a cluster. */
function writtenByKubeadm(): readonly Shown[] {
  const file = path.join(root, 'test/upstream/objects/kubeadm-cluster.json')
  const { objects }: { readonly objects: Readonly<Record<string, JsonObject>> } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  const maps = {
    kubelet: ['kubelet-config', 'kubelet'],
    'kube-proxy': ['kube-proxy', 'config.conf'],
  }
  return Object.entries(objects).flatMap(([version, of]) =>
    programs.flatMap(({ name, fields }) => {
      const [map = '', key = ''] = maps[name]
      const { data } = objectOf(of[`/api/v1/namespaces/kube-system/configmaps/${map}`])
      return documentsIn(objectOf(data)[key])
        .flatMap((document) => pathsOf(document, typesOf(fields)))
        .map((field) => ({
          name: `${name} field ${field}`,
          minor: version.replace(/\.\d+$/, ''),
          known: true,
          from: `kubeadm ${version}`,
        }))
    }),
  )
}

const shown = [...programs.flatMap(shownBy), ...writtenByKubeadm()]

/** Every name of the tables, with the minors that have it. */
const tabled = new Map<string, string[]>()
for (const { minor, asked } of minors) {
  if (asked === undefined) continue
  const names = [
    ...programs.flatMap(({ name, fields, flags }) => [
      ...[...featureGates(minor)].flatMap(([gate, { only = name }]) =>
        only === name ? [`${name} gate ${gate}`] : [],
      ),
      ...[...fields(minor).keys()].map((key) => `${name} field ${key}`),
      ...[...flags(minor).keys()].map((flag) => `${name} flag ${flag}`),
    ]),
  ]
  for (const name of names) tabled.set(name, [...(tabled.get(name) ?? []), minor])
}

t.test('the tables have what the programs accepted, and not what they did not know', async (t) => {
  const wrong = shown.filter(
    ({ name, minor, known }) => (tabled.get(name)?.includes(minor) ?? false) !== known,
  )
  t.strictSame(wrong, [])
  t.ok(shown.length > 5000, `${shown.length} times`)
})

t.test('the tables lock and need what the programs say', async (t) => {
  const wrong: string[] = []
  let seen = 0
  for (const { id, answers } of programs.flatMap(({ files }) => files.flatMap(read)))
    for (const { versions, message = '' } of answers)
      for (const minor of versions) {
        const rows = featureGates(minor)
        for (const [, gate = '', value] of message.matchAll(
          /gate (\w+) to \w+, feature is locked to (\w+)/g,
        )) {
          const row = rows.get(gate)
          seen++
          if (row?.locked !== true || String(row.default) !== value)
            wrong.push(`${id}: ${gate} is locked to ${value} in ${minor}`)
        }
        for (const [, gate = '', needs = ''] of message.matchAll(
          /(\w+) is enabled, but depends on features that are disabled: \[([^\]]*)\]/g,
        )) {
          const row = rows.get(gate)
          seen++
          for (const need of needs.split(/[, ]+/))
            if (row?.needs?.includes(need) !== true)
              wrong.push(`${id}: ${gate} needs ${need} in ${minor}`)
        }
      }
  t.strictSame(wrong, [])
  t.ok(seen > 60, `${seen} times`)
})

/** The kubelet and kube-proxy register the same gates: one verdict is enough. */
const ofBoth = (name: string) => name.replace(/^\S+ (?=gate )/, '')

t.test('what no verdict shows, the tables alone know', async (t) => {
  const confirmed = new Set(shown.map(({ name }) => ofBoth(name)))
  const names = new Set([...tabled.keys()].map(ofBoth))
  const alone = [...names].filter((name) => !confirmed.has(name)).sort()
  checkedIn(t, 'test/matrix/without-verdict.txt', `${alone.join('\n')}\n`)
  t.comment(`${alone.length} of ${names.size} gates, fields and flags are in no verdict`)
})
