// docs/smoke.md: its tables of checks and images, made of what the program has.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { smokeImages } from '../../src/matrix/smoke-images.ts'
import { windowsReleases } from '../../src/matrix/windows.ts'
import { checkKinds } from '../../src/smoke/checks.ts'
import { root } from '../tools/run.ts'
import { code, table } from './markdown.ts'

/** The page with its tables generated again. */
export function smokePage(): string {
  return readFileSync(path.join(root, 'docs/smoke.md'), 'utf8')
    .replace(/^\| Check [^]*?(?=\n\n)/m, checkTable)
    .replace(/^\| Kubernetes [^]*?(?=\n\n)/m, imageTable)
}

function checkTable(): string {
  const rows = Object.entries(checkKinds).map(([id, holds]) => [code(id), holds])
  return table(['Check', 'Passes if'], rows)
}

function imageTable(): string {
  const releaseOf = (build: number) =>
    windowsReleases.find((release) => release.build === build)?.id ?? String(build)
  const rows = smokeImages.map(({ kubernetes, tag, builds, see, seeBuilds }) => [
    kubernetes,
    code(tag),
    builds.map((build) => code(releaseOf(build))).join(', '),
    `[tag](${see}), [builds](${seeBuilds})`,
  ])
  return table(['Kubernetes', 'Tag', 'Windows', 'Sources'], rows)
}
