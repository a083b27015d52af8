// The commands by id, each loaded only when it runs.
import type { Loaders } from './config.ts'

export const commands: Loaders = {
  init: () => import('./init.ts'),
  render: () => import('./render.ts'),
  validate: () => import('./validate.ts'),
  lint: () => import('./lint.ts'),
  drift: () => import('./drift.ts'),
  smoke: () => import('./smoke.ts'),
  doctor: () => import('./doctor.ts'),
  solve: () => import('./solve.ts'),
  upgrade: () => import('./upgrade.ts'),
  lock: () => import('./lock.ts'),
  bom: () => import('./bom.ts'),
  mirror: () => import('./mirror.ts'),
  profiles: () => import('./profiles.ts'),
  'profiles:show': () => import('./profiles/show.ts'),
  matrix: () => import('./matrix.ts'),
  explain: () => import('./explain.ts'),
  sizing: () => import('./sizing.ts'),
  facts: () => import('./facts.ts'),
  schema: () => import('./schema.ts'),
  completion: () => import('./completion.ts'),
  license: () => import('./license.ts'),
}
