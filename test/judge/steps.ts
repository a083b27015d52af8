// What holds for the steps of every bundle, whatever they do.
import { phases } from '../../src/model/phase.ts'
import type { Step } from '../../src/model/step.ts'

/** What is wrong with the steps of a node.json; nothing where all is right. */
export function judgeSteps(steps: readonly Step[]): string[] {
  const seen = new Set<string>()
  let phase = 0
  return steps.flatMap((step) => {
    const here = phases.indexOf(step.phase)
    const faults = [
      ...(/^[a-z0-9]+(?:-[a-z0-9._]+)*$/.test(step.id) ? [] : [`${step.id} is no name of a step`]),
      ...(seen.has(step.id) ? [`${step.id} stands twice`] : []),
      ...(here < phase ? [`${step.id} of phase ${step.phase} comes too late`] : []),
      ...step.after.filter((id) => !seen.has(id)).map((id) => `${step.id} comes before ${id}`),
      // An image is made before any machine is known.
      ...(step.phase === 'image' && JSON.stringify(step).includes('"fact":')
        ? [`${step.id} asks for a node fact in an image`]
        : []),
      ...(step.phase !== 'image' && step.restart === 'maybe'
        ? [`${step.id} may restart a node that has joined`]
        : []),
      ...pathsOf(step)
        .filter((path) => !/^[CD]:\\[^/]+$/.test(path))
        .map((path) => `${step.id}: ${path} is no path of Windows`),
    ]
    seen.add(step.id)
    phase = Math.max(phase, here)
    return faults
  })
}

function pathsOf(step: Step): readonly string[] {
  const members = step.kind === 'archive' ? step.members.map(({ path }) => path) : []
  const own = 'path' in step ? [step.path] : []
  const program = step.kind === 'service' ? [step.command[0]?.text ?? ''] : []
  return [...own, ...members, ...program]
}
