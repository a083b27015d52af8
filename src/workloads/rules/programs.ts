// Programs that commands, probes and hooks start.
import { textAt } from '../../model/json.ts'
import type { Conflict } from '../../model/rule.ts'
import { parseImage } from '../../go/image-reference.ts'
import { type Command, commandsOf } from '../commands.ts'
import { defineWorkloadRule } from '../rule.ts'
import { type Container, isHostProcess } from '../workload.ts'

const baseImages =
  'https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images'

/** A path of Linux, or a shell that no base image of Windows has. */
const ofLinux = /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/\S+|(?:ba|da|a|z)?sh)$/

/** Test images of Kubernetes, whose builds for Windows have C:\bin\sh.exe: busybox and images on it. */
const withShell = /busybox|e2e-test-images/

function startedPrograms({ path, program }: Command) {
  return program === undefined ? [] : [{ path, program }]
}

export const linuxProgram = defineWorkloadRule({
  id: 'linux-program',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Commands, probes and hooks start programs that images for Windows have.',
  remedy: 'Use cmd or powershell, or a program of the image by its Windows path.',
  see: baseImages,
  check: ({ containers }) =>
    containers
      .filter(({ spec }) => !withShell.test(textAt(spec, ['image'])))
      .flatMap((container) =>
        commandsOf(container)
          .flatMap(startedPrograms)
          .filter(({ program }) => ofLinux.test(program))
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
          commandsOf(container)
            .flatMap(startedPrograms)
            .filter(({ program }) => /^(?:powershell|pwsh)(?:\.exe)?$/i.test(program))
            .map(({ path, program }) => ({
              path,
              message: `${container.title} starts ${program}, which the image windows/nanoserver does not have`,
            })),
        ),
})
