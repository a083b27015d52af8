// CRDs of Cluster API, its providers and network plugins, as published in their repositories.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Crd } from '../judge/api-server/custom-resource.ts'
import { root } from './run.ts'

export interface PublishedCrd extends Crd {
  /** Its file, at a commit or a release. */
  readonly see: string
}

const readFolder = (name: string) => {
  let read: readonly PublishedCrd[] | undefined
  return (): readonly PublishedCrd[] => {
    const folder = path.join(root, 'test/upstream', name)
    read ??= readdirSync(folder).map((file) =>
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
    )
    return read
  }
}

export const crds = readFolder('crds')

/** Of Cluster API and its providers: the oldest releases that docs/pipelines/cluster-api.md names. */
export const oldestCrds = readFolder('crds-oldest')
