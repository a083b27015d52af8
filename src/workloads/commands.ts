// Commands that Kubernetes runs in a container: its process, probes and hooks.
import { isList, valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import type { Container } from './workload.ts'

export interface Command {
  /** From the object. */
  readonly path: Path
  readonly words: readonly string[]
  /** The program that is started; absent where the image names it. */
  readonly program?: string
}

const exec = ['exec', 'command']
const commandPaths = [
  ['command'],
  ['args'],
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) => [probe, ...exec]),
  ...['postStart', 'preStop'].map((hook) => ['lifecycle', hook, ...exec]),
]

export function commandsOf({ spec, path }: Container): readonly Command[] {
  return commandPaths.flatMap((at) => {
    const value = valueAt(spec, at)
    const words = isList(value) ? value.filter((word) => typeof word === 'string') : []
    const [program] = words
    if (program === undefined) return []
    // args alone are appended to the entrypoint of the image.
    const isStarted = at[0] !== 'args'
    return [{ path: [...path, ...at], words, ...(isStarted && { program }) }]
  })
}
