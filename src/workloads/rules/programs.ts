// Programs that commands, probes and hooks start.
import { textAt } from '../../model/json.ts'
import type { Conflict } from '../../model/rule.ts'
import { parseImage } from '../../go/image-reference.ts'
import { commandsOf } from '../commands.ts'
import { defineWorkloadRule } from '../rule.ts'
import { type Container, isHostProcess } from '../workload.ts'

const baseImages =
  'https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images'

/** Programs of every Linux image that Windows has under another name, or only in cmd. */
const linuxNames =
  'ash|awk|bash|cat|cp|dash|echo|env|false|grep|kill|ls|mv|pgrep|pkill|rm|sed|sh|sleep|touch|true|zsh'

const linuxPath = /^\/(?:usr\/)?(?:local\/)?s?bin\/(?!\S+\.(?:exe|cmd|bat)$)\S+$/i
const linuxName = new RegExp(`^(?:${linuxNames})$`)

/** Test images of Kubernetes, whose builds for Windows have C:\bin\sh.exe: busybox and images on it. */
const withShell = /busybox|e2e-test-images/

function startedPrograms(container: Container) {
  return commandsOf(container).flatMap(({ path, program }) =>
    program === undefined ? [] : [{ path, program }],
  )
}

export const linuxProgram = defineWorkloadRule({
  id: 'linux-program',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Commands, probes and hooks start programs that images for Windows have.',
  remedy:
    'Use cmd or powershell, or a program of the image by its Windows path; a hook can have sleep.seconds.',
  see: baseImages,
  check: (workload) =>
    workload.containers
      .filter(({ spec }) => !withShell.test(textAt(spec, ['image'])))
      .flatMap((container) =>
        startedPrograms(container)
          // A HostProcess container starts its command with cmd, which has some of the names.
          .filter(
            ({ program }) =>
              linuxPath.test(program) || (!isHostProcess(workload) && linuxName.test(program)),
          )
          .map(({ path, program }) => ({
            path,
            message: `${container.title} starts ${program}, which no base image of Windows has`,
          })),
      ),
})

function isNanoServer({ spec }: Container): boolean {
  const { registry, repository } = parseImage(textAt(spec, ['image'])) ?? {}
  return registry === 'mcr.microsoft.com' && repository === 'windows/nanoserver'
}

export const powershellInNanoServer = defineWorkloadRule({
  id: 'powershell-in-nano-server',
  severity: 'error',
  summary: 'Commands, probes and hooks in windows/nanoserver do not start PowerShell.',
  remedy: 'Use cmd, or the image mcr.microsoft.com/powershell or windows/servercore.',
  see: baseImages,
  check: (workload) =>
    // HostProcess containers start the programs of the node.
    isHostProcess(workload)
      ? []
      : workload.containers.filter(isNanoServer).flatMap((container): readonly Conflict[] =>
          startedPrograms(container)
            .filter(({ program }) => /^(?:powershell|pwsh)(?:\.exe)?$/i.test(program))
            .map(({ path, program }) => ({
              path,
              message: `${container.title} starts ${program}, which the image windows/nanoserver does not have`,
            })),
        ),
})

/** A shell, and more in the same item; a path needs .exe, as its folders can have spaces. */
const withArguments =
  /^(?:(?:cmd|powershell|pwsh)(?:\.exe)?|.*[\\/](?:cmd|powershell|pwsh)\.exe)\s/i

export const argumentsInProgram = defineWorkloadRule({
  id: 'arguments-in-program',
  severity: 'error',
  summary: 'Each argument of a command is a separate item.',
  remedy: 'Write command: [powershell, -Command, ...], with one item for each argument.',
  see: 'https://github.com/Azure/AKS/issues/1836',
  check: (workload) =>
    // A HostProcess container starts its command with cmd, which splits it.
    isHostProcess(workload)
      ? []
      : workload.containers.flatMap((container) =>
          startedPrograms(container)
            .filter(({ program }) => withArguments.test(program))
            .map(({ path, program }) => ({
              path,
              message: `${container.title}: the first item is the name of the program, and there is none named ${JSON.stringify(program)}`,
            })),
        ),
})
