// Parses a TOML file, with the line of each value.
import type { Content } from '../../drift/evidence.ts'
import type { Place } from '../../model/finding.ts'
import { parseObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import { locator } from '../span.ts'

export async function readToml(text: string, shown: string): Promise<Content> {
  const { parse, TomlError } = await import('smol-toml')
  const bare = text.replace(/^\ufeff/, '')
  const locate = locator(shown, bare)
  try {
    const value = parseObject(JSON.stringify(parse(bare))) ?? null
    const doc = { name: '', value, place: placeIn(bare, locate) }
    return { kind: 'documents', docs: [doc], faults: [] }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const message = error.message.replace(/\n[^]*/, '').replace(/^Invalid TOML document: /, '')
    const place = { file: shown, line: error.line, column: error.column }
    const fault = { id: 'toml-syntax', severity: 'error', path: [], message, place } as const
    return { kind: 'documents', docs: [], faults: [fault] }
  }
}

/** The parser returns no locations, so the line of a key is searched below the header of its table. */
function placeIn(text: string, locate: ReturnType<typeof locator>): (path: Path) => Place {
  return (path) => {
    const names = path.filter((step) => typeof step === 'string')
    const key = names.at(-1) ?? ''
    const table = names.slice(0, -1)
    let header: readonly string[] = []
    let offset = 0
    let nearest = 0
    for (const line of text.split('\n')) {
      const [, inside] = /^\s*\[+([^\]]*(?:'[^']*'[^\]]*)*)\]+/.exec(line) ?? []
      if (inside !== undefined) header = partsOf(inside)
      const [, left = ''] = /^\s*("[^"]*"|'[^']*'|[\w-]+)\s*=/.exec(line) ?? []
      if (same(header, table) && inside !== undefined) nearest = offset
      if (same(header, table) && partsOf(left)[0] === key) {
        const start = offset + line.indexOf('=') + 1
        const blank = /^\s*/.exec(text.slice(start))?.[0].length ?? 0
        return locate({ start: start + blank, end: offset + line.trimEnd().length })
      }
      offset += line.length + 1
    }
    return locate({ start: nearest, end: nearest + 1 })
  }
}

function partsOf(dotted: string): readonly string[] {
  const parts = dotted.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)
  return Array.from(parts, ([, double, single, plain]) => double ?? single ?? plain ?? '')
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index])
}
