// Bundles for the simulated host: as rendered, except that all downloads come from loopback.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, spawned } from '../tools/run.ts'
import { tarGz, zip } from './archives.ts'
import type { Artifacts } from './artifacts.ts'

type Json = Record<string, unknown>

interface Checksum {
  readonly kind: 'pinned' | 'published'
  readonly sha256?: string
  readonly url?: string
  readonly shape?: 'bare' | 'named'
  readonly name?: string
}
export interface Step extends Json {
  readonly id: string
  readonly kind: string
  readonly phase: string
  readonly after: readonly string[]
}
export interface NodeDocument extends Json {
  readonly name: string
  readonly steps: readonly Step[]
}

/** Renders a profile into a folder, and moves its downloads to the server. */
export function renderBundle(
  profile: string,
  folder: string,
  artifacts: Artifacts,
  flags: readonly string[] = [],
): NodeDocument {
  const argv = ['render', profile, '--out', folder, '--as-of', '2026-11-20', ...flags]
  const { code, stderr } = spawned(argv)
  if (code !== 0) throw new Error(`${profile} is not rendered: ${stderr}`)
  const file = path.join(folder, 'node.json')
  return seal(folder, localDocument(JSON.parse(readFileSync(file, 'utf8')), artifacts))
}

/** A bundle with the given steps, and the same scripts. */
export function writeBundle(
  folder: string,
  document: NodeDocument,
  artifacts: Artifacts,
  files: Readonly<Record<string, string>> = {},
): NodeDocument {
  mkdirSync(folder, { recursive: true })
  cpSync(path.join(root, 'dist/node'), folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return seal(folder, localDocument(document, artifacts))
}

/** Writes node.json as it is rendered: with digests of the other files, and its own. */
function seal(folder: string, document: NodeDocument): NodeDocument {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names
    .filter((name) => name !== 'node.json' && statSync(path.join(folder, name)).isFile())
    .map((name) => ({ path: name, sha256: sha256(readFileSync(path.join(folder, name))) }))
  const zeros = '0'.repeat(64)
  const text = JSON.stringify({ ...document, sha256: zeros, files }, null, 2)
  const digest = sha256(text)
  writeFileSync(path.join(folder, 'node.json'), text.replace(zeros, digest))
  return { ...document, sha256: digest, files }
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Every download is put on the server, with the content that its name promises. */
function localDocument(document: NodeDocument, artifacts: Artifacts): NodeDocument {
  return { ...document, steps: document.steps.map((step) => localStep(step, artifacts)) }
}

function localStep(step: Step, artifacts: Artifacts): Step {
  if (step.kind !== 'download' && step.kind !== 'archive') return step
  const url = String(step['url'])
  const body = step.kind === 'download' ? program(url, url) : archive(step, url)
  const checksum = step['checksum'] as Checksum
  const copy = typeof step['copy'] === 'string' ? { copy: artifacts.put(step['copy'], body) } : {}
  const served = artifacts.put(url, body)
  // A file of a folder stays where it is: the test puts it there.
  const local = { url: url.startsWith('file:') ? url : served, ...copy }
  return { ...step, ...local, checksum: localSum(checksum, body, artifacts) }
}

function localSum(checksum: Checksum, body: Buffer | string, artifacts: Artifacts): Checksum {
  const digest = sha256(body)
  if (checksum.kind === 'pinned') return { ...checksum, sha256: digest }
  const { url = '', shape, name } = checksum
  const text = shape === 'bare' ? `${digest}\n` : `${'0'.repeat(64)}  other\n${digest}  ${name}\n`
  const served = artifacts.put(url, text)
  return { ...checksum, url: url.startsWith('file:') ? url : served }
}

function archive(step: Step, url: string): Buffer {
  const members = step['members'] as readonly { readonly member: string }[]
  const entries = members.map(({ member }) => [member, program(member, url)] as const)
  const extra = [['LICENSE', 'not a program\n'] as const]
  return step['format'] === 'zip' ? zip([...entries, ...extra]) : tarGz([...entries, ...extra])
}

/** What the stand-ins take for a program; the version is in the address. Half of it is more than a buffer of .NET holds back. */
function program(name: string, url: string): string {
  // Microsoft's module is imported, not run.
  if (name.endsWith('/hns.psm1')) return readFileSync(path.join(root, 'test/host/hns.psm1'), 'utf8')
  const base = name.replace(/.*\//, '')
  return `program ${base}\nfrom ${url}\n${'.'.repeat(20_000)}\n`
}

interface Check {
  readonly id: string
  readonly kind: string
  readonly with: readonly { readonly name: string; readonly value: unknown }[]
}

export function checksOf(node: NodeDocument): readonly Check[] {
  return node['preflight'] as readonly Check[]
}

/** What a check of the document needs, or nothing. */
export function needs(node: NodeDocument, kind: string, name: string): unknown {
  const pairs = checksOf(node)
    .filter((check) => check.kind === kind)
    .flatMap((check) => check.with)
  return pairs.find((pair) => pair.name === name)?.value
}
