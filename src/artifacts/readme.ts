// README.md of a bundle: what it will do to the machine, step by step, in words.
import { cniOf } from '../cni/index.ts'
import { decisionRow } from '../cni/readme-part.ts'
import type { Decision, DraftStep, PlannedFile, View } from '../model/plan.ts'
import type { Phase } from '../model/phase.ts'
import type { NodeSpec } from '../model/spec.ts'
import { filesToCopy, takesToken } from './files-to-copy.ts'
import { summaryOf } from './step-summaries.ts'

interface ReadmeInput {
  readonly spec: NodeSpec
  readonly decisions: readonly Decision[]
  readonly steps: readonly DraftStep[]
  readonly files: readonly PlannedFile[]
  /** Files to copy to the node before Install, and before Join. */
  readonly first: readonly string[]
  readonly required: readonly string[]
}

export function readme(input: ReadmeInput): PlannedFile {
  const stepsOf = (...phases: readonly Phase[]) =>
    input.steps
      .filter(({ phase }) => phases.includes(phase))
      .map((step) => ({ ...summaryOf(step) }))
  const boot = stepsOf('boot')
  const cni = cniOf(input.spec.network.cni)
  const files = filesOf(input)
  const toJoin = {
    name: input.spec.name,
    summary: input.spec.summary,
    decisions: input.decisions.map(decisionRow),
    daemonSet: cni.provides?.(input.spec).nodeConf === undefined,
    restarts: input.steps.some((step) => step.restart === 'maybe'),
    ...files,
    ...elsewhere(input),
  }
  const joined = {
    token: files.token,
    approved: input.spec.kubelet.servingCertificateApprover !== undefined,
    image: stepsOf('image'),
    join: stepsOf('beforeJoin', 'join', 'afterJoin'),
    boot,
    files: input.files.map(({ path, summary }) => ({ path, summary })),
  }
  return {
    id: 'readme',
    path: 'README.md',
    summary: 'What this bundle does, step by step.',
    body: {
      kind: 'page',
      parts: [
        { template: 'bundle/README.md.hbs', view: toJoin },
        ...(cni.joined?.(input.spec.network) ?? []),
        { template: 'bundle/README-joined.md.hbs', view: joined },
      ],
    },
  }
}

/** Folders of copied files that no step creates, nor a parent of them: they must be created and protected by hand. */
function elsewhere({ spec, steps }: ReadmeInput): View {
  const made = steps.flatMap((step) => (step.kind === 'directory' ? [`${step.path}\\`] : []))
  const folders = filesToCopy(spec)
    .map(({ path }) => path.slice(0, path.lastIndexOf('\\')))
    .filter(
      (folder) =>
        !made.some((below) => `${folder}\\`.toLowerCase().startsWith(below.toLowerCase())),
    )
  const folder = [...new Set(folders)].map((path) => ({ path }))
  return { folders: folder, elsewhere: folder.length > 0 }
}

/** Files from the cluster, and files from the author of the profile. */
function filesOf({ spec, first, required }: ReadmeInput) {
  const copied = filesToCopy(spec).map(({ file, path }) => ({ file, path }))
  const token = takesToken(spec)
  const made = [...copied.map(({ file }) => file), ...(token ? ['token'] : [])]
  const others = required.filter((name) => !copied.some(({ path }) => path === name))
  return {
    made: made.map((file) => ({ file })),
    copied,
    token,
    tokenHolder: spec.join.method === 'kubeadm' ? 'token' : 'bootstrap-kubelet.conf',
    first: first.map((path) => ({ path })),
    others: others.map((path) => ({ path })),
  }
}
