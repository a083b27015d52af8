// Recorded reports: one of a healthy joined node, and for each problem what differs from it.
import { isList, isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { parts } from '../../src/report/report.ts'

/** Besides what the diagnoses read, whether the machine has joined. */
const kept = [...parts, 'state']

/** What names an item of a list. */
const keys = ['id', 'name', 'DeviceID', 'path', 'what']

export type Changes = Readonly<Record<string, Json>>

/** The parts that diagnoses look at, and the name of the node; nothing of this run. `endpoint` is a host and a port. */
export function told(
  report: JsonObject,
  { endpoint, drive }: { readonly endpoint: string; readonly drive: string },
): JsonObject {
  const text = JSON.stringify(Object.fromEntries(parts.map((part) => [part, report[part] ?? null])))
  const plain = JSON.parse(
    text
      .replace(/sha256:[0-9a-f]{64}/g, 'sha256:of-a-ca')
      .replaceAll(drive, 'C:')
      .replaceAll(endpoint, 'api.example.com:6443'),
  ) as JsonObject
  const logs = Object.entries(plain['logs'] ?? {}).filter(
    ([path, log]) => !path.includes('winnode') && typeof log === 'string',
  )
  return {
    apiVersion: 'winnode/v1',
    kind: 'NodeReport',
    name: 'every-kind',
    facts: { nodeName: 'node-a' },
    state: { joined: isObject(report['state']) && (report['state']['joined'] ?? null) },
    ...plain,
    logs: Object.fromEntries(logs),
  }
}

/** Of each part, the items that are not as in the other report; null for one that is gone. */
export function changesOf(before: JsonObject, after: JsonObject): Changes {
  return differing(rows(before), rows(after))
}

function differing(before: Changes, after: Changes): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const others = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(others.map((name) => [name, after[name] ?? null]))
}

/** Every item by its part and its name. */
function rows(report: JsonObject): Changes {
  return Object.fromEntries(
    kept.flatMap((part) => {
      const value = report[part] ?? null
      const items = isList(value)
        ? value.map((item, index): [string, Json] => [nameOf(item, index), item])
        : Object.entries(value as Changes)
      return items.map(([name, item]) => [`${part} ${name}`, item])
    }),
  )
}

function nameOf(item: Json, index: number): string {
  const names = isObject(item) ? keys.map((key) => item[key]) : []
  const name = names.find((one) => typeof one === 'string')
  return typeof name === 'string' ? name : String(index)
}

export function changed(report: JsonObject, changes: Changes): JsonObject {
  const all: Changes = { ...rows(report), ...changes }
  const whole = Object.fromEntries(
    kept.map((part) => {
      const items = Object.entries(all)
        .filter(([name, item]) => name.startsWith(`${part} `) && item !== null)
        .map(([name, item]): [string, Json] => [name.slice(part.length + 1), item])
      return [
        part,
        isList(report[part]) && !(`${part} error` in changes)
          ? items.map(([, item]) => item)
          : Object.fromEntries(items),
      ]
    }),
  )
  return { ...report, ...whole }
}
