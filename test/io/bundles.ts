// Bundles for tests: small ones, as render would make them, and what a folder holds.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { RenderedFile } from '../../src/model/plan.ts'

export const bytes = (text: string) => new TextEncoder().encode(text)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** With a node.json that lists the files and holds the digest of itself. */
export function bundleOf(texts: Readonly<Record<string, string>>): readonly RenderedFile[] {
  const files = Object.entries(texts).map(([path, text]) => ({ path, sha256: digest(text) }))
  const zeros = '0'.repeat(64)
  const document = { apiVersion: 'winnode/v1', kind: 'NodeDocument', sha256: zeros, files }
  const text = `${JSON.stringify(document, null, 2)}\n`
  // Not last, as it is not in every bundle: the writer moves it last.
  const all = { 'node.json': text.replace(zeros, digest(text)), ...texts }
  return Object.entries(all).map(([path, held]) => ({ path, content: bytes(held) }))
}

export const textsOf = (files: readonly RenderedFile[]): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ path, content }) => [path, new TextDecoder().decode(content)]))

/** Paths and texts; links as `-> target`, folders as `/`. `undefined` where there is nothing. */
export function contentsOf(folder: string): Readonly<Record<string, string>> | undefined {
  if (!existsSync(folder)) return undefined
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(names.map((name) => [name, look(join(folder, name))]))
}

function look(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return '(a name that is not UTF-8)'
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`
  if (stats.isDirectory()) return '/'
  return stats.size > 2 ** 20 ? `(${stats.size} bytes)` : readFileSync(path, 'utf8')
}
