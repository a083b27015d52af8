// Cases of hosts.toml as profiles: what winnode writes of mirrors, and nothing else.
import { parse } from 'smol-toml'
import { registryFolder } from '../../src/matrix/registry-folder.ts'
import { isList, isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { textOf } from '../judge/go/scalar.ts'
import type { Express, Expression } from './case.ts'
import { entriesOf, put } from './document.ts'

/** Keys of a mirror, and the fields of a profile for them. */
const fields: Readonly<Record<string, string>> = { ca: 'ca', override_path: 'overridePath' }

export const expressHosts: Express = ({ input = {} }): Expression => {
  const registry = textOf(input['registry'])
  const files = entriesOf(input['files'])
  if (files.length === 0) return { profile: {} }
  if (files.some(([, text]) => textOf(text).startsWith('<')))
    return { because: 'files beside hosts.toml are of the node' }
  const named = files.map(([path, text]) => [path.split('\\')[0] ?? '', text] as const)
  const expected = [registryFolder(registry), '_default']
  if (!named.every(([folder]) => expected.includes(folder)) || input['encoding'] !== undefined)
    return { because: 'winnode names the folder, and encodes the file' }
  const mirrors = named.map(
    ([folder, text]) => [folder, mirrorsOf(textOf(text), registry)] as const,
  )
  if (mirrors.some(([, list]) => list === undefined))
    return { because: 'winnode writes the file, which has no such keys' }
  if (mirrors.some(([, list]) => list?.some(({ ca }) => isElsewhere(ca, input['certificates']))))
    return { because: 'the node refuses to install while the file of a ca is missing' }
  if (mirrors.some(([, list]) => list?.some(({ ca }) => isList(ca))))
    return { because: 'a mirror of a profile has one file of roots' }
  const pairs = mirrors.map(
    ([folder, list]) => [folder === '_default' ? '_default' : registry, list ?? []] as const,
  )
  if (pairs.some(([, list]) => list.length === 0))
    return { because: 'a profile names a registry for its mirrors' }
  return { profile: put(['registry', 'mirrors'], Object.fromEntries(pairs)) }
}

/** An absolute path of a missing file. */
function isElsewhere(ca: Json | undefined, there: Json | undefined): boolean {
  const known = isList(there) ? there : []
  return typeof ca === 'string' && /^[A-Z]:/.test(ca) && !known.includes(ca)
}

/** `undefined` for a file that winnode does not write. */
function mirrorsOf(text: string, registry: string): readonly JsonObject[] | undefined {
  const document = read(text)
  if (!document) return undefined
  const { server, host = {}, ...others } = document
  const usual = server === undefined || server === `https://${registry}`
  if (!usual || Object.keys(others).length > 0 || !isObject(host)) return undefined
  if (/^\[host\]|^\[\[/m.test(text) || text.startsWith('\ufeff')) return undefined
  const list = entriesOf(host).map(([url, mirror]) => mirrorOf(url, mirror))
  const known = list.filter((one) => one !== undefined)
  return known.length < list.length ? undefined : known
}

function read(text: string): JsonObject | undefined {
  try {
    return parse(text) as JsonObject
  } catch {
    return undefined
  }
}

function mirrorOf(url: string, mirror: Json): JsonObject | undefined {
  const { capabilities, ...rest } = isObject(mirror) ? mirror : {}
  const pulls = isList(capabilities) && capabilities.includes('pull')
  const entries = entriesOf(rest)
  if (!pulls || entries.some(([key]) => !Object.hasOwn(fields, key))) return undefined
  return { url, ...Object.fromEntries(entries.map(([key, value]) => [fields[key] ?? key, value])) }
}
