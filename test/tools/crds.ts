// CRDs of Cluster API, its providers and network plugins, as published in their repositories.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Crd } from '../judge/api-server/custom-resource.ts'
import { root } from './run.ts'

const folder = path.join(root, 'test/upstream/crds')

let read: readonly Crd[] | undefined

export function crds(): readonly Crd[] {
  read ??= readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(path.join(folder, name), 'utf8')),
  )
  return read
}
