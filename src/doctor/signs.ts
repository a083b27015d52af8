// Signs: search the parts of a report for the evidence of a diagnosis.
import { isObject, type JsonObject } from '../model/json.ts'
import type { LineSign, SignRow } from '../model/tables.ts'
import { isHealthy, itemsOf, type Part, type Report, textOf, textsOf } from '../report/report.ts'
import { computed } from './computed-signs.ts'
import type { Sign } from './sign.ts'

export function signOf(row: SignRow): Sign {
  if ('allOf' in row) return allOf(row.allOf.map(signOf))
  if ('anyOf' in row) {
    const found = anyOf(row.anyOf.map(signOf))
    return row.details === undefined ? found : withDetails(found, computed[row.details])
  }
  if ('computed' in row) return computed[row.computed]
  const { only, ...search } = row
  const sign = 'line' in search ? lineSign(search) : itemSign(search)
  const counts = only === undefined ? undefined : conditions[only]
  return counts
    ? { ...sign, evidenceIn: (report) => (counts(report) ? sign.evidenceIn(report) : []) }
    : sign
}

/** Patterns of the messages that are evidence: lines of logs, and what checks and steps report. */
export function messagesOf(row: SignRow): readonly RegExp[] {
  if ('allOf' in row) return row.allOf.flatMap(messagesOf)
  if ('anyOf' in row) return row.anyOf.flatMap(messagesOf)
  if ('computed' in row) return []
  if ('line' in row) return [new RegExp(row.line, row.anyCase && 'i')]
  return Object.entries(row)
    .filter(([property]) => messageProperties.has(property))
    .map(([, pattern]) => new RegExp(pattern))
}

const messageProperties = new Set(['evidence', 'message', 'detail', 'why'])

const conditions = {
  joined: ({ document: { state } }: Report) => isObject(state) && state['joined'] === true,
  unhealthy: (report: Report) => !isHealthy(report),
}

interface List {
  readonly part: Part
  /** Whether the item shows a problem. */
  readonly counts: (item: JsonObject) => boolean
  readonly line: (at: (property: string) => string) => string
}

const preflight: List = {
  part: 'preflight',
  counts: ({ passed }) => passed === false,
  line: (at) => `check ${at('id')}: ${at('message')}`,
}

type ItemSign = Extract<SignRow, { readonly in: string }>['in']

const lists: Readonly<Record<Exclude<ItemSign, LineSign['in']>, List>> = {
  health: {
    part: 'health',
    counts: ({ verdict }) => verdict !== 'ok',
    line: (at) => `health ${at('id')}: ${at('evidence')}`,
  },
  preflight,
  anyPreflight: { ...preflight, counts: () => true },
  steps: {
    part: 'steps',
    counts: ({ state }) => state === 'Different',
    line: (at) => `step ${at('id')}: ${at('detail')}`,
  },
  services: {
    part: 'services',
    counts: () => true,
    line: (at) => `service ${at('name')}: ${at('status')}, start ${at('start')}`,
  },
  unread: {
    part: 'unread',
    counts: () => true,
    line: (at) => `${at('what')}: ${at('why')}`,
  },
}

function itemSign({
  in: list,
  ...patterns
}: { readonly in: keyof typeof lists } & Readonly<Record<string, string>>): Sign {
  const { part, counts, line } = lists[list]
  const wanted = Object.entries(patterns).map(
    ([property, of]) => [property, new RegExp(of)] as const,
  )
  return {
    needs: [part],
    evidenceIn: (report) =>
      itemsOf(report, part)
        .filter((item) => wanted.every(([property, of]) => of.test(textOf(item, property))))
        .filter(counts)
        .map((item) => line((property) => textOf(item, property))),
  }
}

/** Excludes winnode.log, which quotes the messages of other programs. */
const anyLog = String.raw`^(?!.*\\winnode\.log$)`

function lineSign({ in: part, file = anyLog, line, anyCase }: LineSign): Sign {
  const [name, words] = [new RegExp(file), new RegExp(line, anyCase && 'i')]
  return {
    needs: [part],
    evidenceIn: (report) =>
      textsOf(report, part).flatMap(({ path, lines }) => {
        const found = name.test(path) ? lines.findLast((one) => words.test(one)) : undefined
        return found === undefined ? [] : [`${path}: ${found.trim()}`]
      }),
  }
}

function anyOf(signs: readonly Sign[]): Sign {
  return {
    needs: signs.flatMap(({ needs }) => needs),
    evidenceIn: (report) => signs.flatMap(({ evidenceIn }) => evidenceIn(report)),
  }
}

function allOf(signs: readonly Sign[]): Sign {
  return {
    needs: signs.flatMap(({ needs }) => needs),
    needsAll: true,
    evidenceIn: (report) => {
      const found = signs.map(({ evidenceIn }) => evidenceIn(report))
      return found.every((one) => one.length > 0) ? found.flat() : []
    },
  }
}

/** Adds the evidence of `details` if `sign` has any. */
function withDetails(sign: Sign, details: Sign): Sign {
  return {
    needs: sign.needs,
    evidenceIn: (report) => {
      const found = sign.evidenceIn(report)
      return found.length > 0 ? [...found, ...details.evidenceIn(report)] : []
    },
  }
}
