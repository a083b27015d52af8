// README.md of a bundle: what it will do to the machine, step by step, in words.
import type { Decision, DraftStep, PlannedFile } from '../model/plan.ts'
import type { Phase } from '../model/phase.ts'
import { wordsFor } from './step-words.ts'

export interface Told {
  readonly name: string
  readonly summary: string
  readonly decisions: readonly Decision[]
  readonly steps: readonly DraftStep[]
  readonly files: readonly PlannedFile[]
  /** Files that somebody puts on the node before it joins. */
  readonly required: readonly string[]
}

export function readme(told: Told): PlannedFile {
  const stepsOf = (...phases: readonly Phase[]) =>
    told.steps.filter(({ phase }) => phases.includes(phase)).map((step) => ({ ...wordsFor(step) }))
  const boot = stepsOf('boot')
  return {
    id: 'readme',
    path: 'README.md',
    summary: 'What this bundle does, step by step.',
    body: {
      kind: 'template',
      template: 'bundle/README.md.hbs',
      view: {
        name: told.name,
        summary: told.summary,
        decisions: told.decisions.map(({ subject, value, reason }) => ({ subject, value, reason })),
        kubeadm: told.steps.some(({ kind }) => kind === 'kubeadmJoin'),
        restarts: told.steps.some((step) => step.restart === 'maybe'),
        image: stepsOf('image'),
        join: stepsOf('beforeJoin', 'join', 'afterJoin'),
        boot,
        boots: boot.length > 0,
        required: told.required.map((path) => ({ path })),
        hasRequired: told.required.length > 0,
        files: told.files.map(({ path, summary }) => ({ path, summary })),
      },
    },
  }
}
