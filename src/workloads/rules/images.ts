// Whether images support the Windows build of the node.
import { textAt } from '../../model/json.ts'
import { parseImage } from '../../go/image-reference.ts'
import { pickBuild } from '../../matrix/image-isolation.ts'
import { handlers } from '../../artifacts/cluster.ts'
import { when, type Conflict } from '../../model/rule.ts'
import { type ImageBuilds, buildsOf } from '../../matrix/image-builds.ts'
import { classOf, isSelected } from '../node.ts'
import { type RuleContext, defineWorkloadRule } from '../rule.ts'
import { buildLabel, requiredLabels } from '../scheduling.ts'
import { type Container, isHostProcess, type Workload } from '../workload.ts'

const compatibility =
  'https://learn.microsoft.com/en-us/virtualization/windowscontainers/deploy-containers/version-compatibility'

interface Image {
  readonly container: Container
  readonly name: string
  readonly builds: ImageBuilds
}

function imagesOf({ containers }: Workload, { platforms }: RuleContext): readonly Image[] {
  return containers.flatMap((container): readonly Image[] => {
    const name = textAt(container.spec, ['image'])
    return name === '' ? [] : [{ container, name, builds: buildsOf(name, platforms) }]
  })
}

/** Excludes images of HostProcess containers: Windows runs them on every build. */
function isolatedImages(workload: Workload, around: RuleContext): readonly Image[] {
  return isHostProcess(workload) ? [] : imagesOf(workload, around)
}

const lacksWindows = ({ builds: { builds, runsOnEvery } }: Image) =>
  !runsOnEvery && builds?.length === 0

/** The build that the pods are scheduled on; `undefined` if unknown. */
function hostBuild(workload: Workload, { node, runtimeClasses }: RuleContext): number | undefined {
  const runtimeClass = classOf(workload, runtimeClasses)
  const labels = requiredLabels(workload).get(buildLabel) ?? []
  const [label = runtimeClass?.nodeSelector[buildLabel], another] = labels
  const [, build] = /^10\.0\.(\d+)$/.exec(label ?? '') ?? []
  if (build !== undefined && another === undefined) return Number(build)
  return node && isSelected(workload, node, runtimeClass) ? node.windows.build : undefined
}

function isHyperV(workload: Workload, { runtimeClasses }: RuleContext): boolean {
  return classOf(workload, runtimeClasses)?.handler === handlers.hyperv
}

export const imageWithoutWindows = defineWorkloadRule({
  id: 'image-without-windows',
  severity: 'error',
  summary: 'The images have a build for Windows.',
  remedy: 'Use an image for Windows, or select Linux nodes.',
  see: compatibility,
  check: (workload, around) => {
    const images = imagesOf(workload, around)
    if (!images.every(lacksWindows)) return []
    return images.map(({ container, name, builds }) => ({
      path: [...container.path, 'image'],
      message: `${container.title}: image ${name} has no build for Windows (${builds.from ?? ''})`,
    }))
  },
})

export const mixedImages = defineWorkloadRule({
  id: 'containers-of-two-systems',
  severity: 'error',
  summary: 'All containers of a pod are for one operating system.',
  remedy: 'Move the containers for Linux to another pod.',
  see: 'https://kubernetes.io/docs/concepts/windows/intro/#compatibility-linux-similarities',
  check: (workload, around) => {
    const images = imagesOf(workload, around)
    if (images.every(lacksWindows)) return []
    return images.filter(lacksWindows).map(({ container, name }) => ({
      path: [...container.path, 'image'],
      message: `${container.title}: image ${name} has no build for Windows, and other containers of the pod have one`,
    }))
  },
})

export const imageBuildMismatch = defineWorkloadRule({
  id: 'image-build-mismatch',
  severity: 'error',
  summary: 'The images have a build that the Windows of the node runs.',
  remedy: 'Use a tag with the build of the node, or select nodes of the image’s build.',
  see: compatibility,
  check: (workload, around) => {
    const host = hostBuild(workload, around)
    if (host === undefined) return []
    return isolatedImages(workload, around).flatMap(
      ({ container, name, builds: { builds = [], runsOnEvery, from } }): readonly Conflict[] => {
        const runs = isHyperV(workload, around)
          ? builds.some((build) => build <= host)
          : pickBuild(host, builds) !== undefined
        return when(
          builds.length > 0 && !runsOnEvery && !runs,
          [...container.path, 'image'],
          `${container.title}: image ${name} has build ${builds.join(', ')} (${from ?? ''}), which build ${host} does not run`,
        )
      },
    )
  },
})

export const hostProcessImageMismatch = defineWorkloadRule({
  id: 'host-process-image-mismatch',
  severity: 'error',
  summary: 'The images of HostProcess containers have an entry that containerd pulls on the node.',
  remedy: 'Use a tag with the build of the node, or an image without os.version.',
  see: 'https://github.com/containerd/containerd/blob/v2.3.3/vendor/github.com/containerd/platforms/platform_windows_compat.go',
  check: (workload, around) => {
    const host = isHostProcess(workload) ? hostBuild(workload, around) : undefined
    if (host === undefined) return []
    return imagesOf(workload, around).flatMap(
      ({ container, name, builds: { builds = [], runsOnEvery, from } }): readonly Conflict[] => {
        if (builds.length === 0 || runsOnEvery || pickBuild(host, builds) !== undefined) return []
        const subject = `${container.title}: image ${name} has build ${builds.join(', ')} (${from ?? ''})`
        // containerd compares the entries of an index; a tag can also be of one manifest, which it pulls on every build.
        const isIndex = from === 'its registry'
        return [
          {
            path: [...container.path, 'image'],
            message: isIndex
              ? `${subject}, which containerd does not pull on build ${host}`
              : `${subject}; if the tag is an index with os.version, containerd does not pull it on build ${host}`,
            ...(!isIndex && { severity: 'warning', harm: 'breaks' }),
          },
        ]
      },
    )
  },
})

export const imageBuildUnknown = defineWorkloadRule({
  id: 'image-build-unknown',
  severity: 'info',
  harm: 'ages',
  summary: 'The Windows builds of the images are known.',
  remedy: 'Pass what crane manifest prints: --platforms IMAGE=FILE.',
  see: compatibility,
  check: (workload, around) =>
    isolatedImages(workload, around)
      .filter(({ builds: { builds, runsOnEvery } }) => builds === undefined && !runsOnEvery)
      .map(({ container, name }) => ({
        path: [...container.path, 'image'],
        message: `${container.title}: the Windows builds of image ${name} are unknown`,
      })),
})

export const imageBuildNotSelected = defineWorkloadRule({
  id: 'image-build-not-selected',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Pods with an image of one build select nodes that run it.',
  remedy: `Add the nodeSelector ${buildLabel}, or a RuntimeClass that has it.`,
  see: compatibility,
  check: (workload, around) =>
    hostBuild(workload, around) === undefined
      ? isolatedImages(workload, around).flatMap(
          ({ container, name, builds: { builds = [], runsOnEvery } }) =>
            when(
              builds.length === 1 && !runsOnEvery,
              [...container.path, 'image'],
              `${container.title}: image ${name} has build ${builds.join()}, and any Windows node can be chosen`,
            ),
        )
      : [],
})

/** None of them has the tag latest; images built on them can have one, such as windows/servercore/iis. */
const baseImages = ['windows', 'windows/nanoserver', 'windows/server', 'windows/servercore']

export const imageTagMoves = defineWorkloadRule({
  id: 'image-tag-moves',
  severity: 'error',
  harm: 'exposes',
  summary:
    'Base images of Windows and images of HostProcess containers have a fixed tag or a digest.',
  remedy: 'Use a tag such as ltsc2022, or a digest.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images',
  check: (workload) =>
    workload.containers.flatMap(({ spec, path, title }): readonly Conflict[] => {
      const name = textAt(spec, ['image'])
      const { registry, repository = '', tag = 'latest', digest } = parseImage(name) ?? {}
      if (registry === undefined || tag !== 'latest' || digest !== undefined) return []
      const at = [...path, 'image']
      if (registry === 'mcr.microsoft.com' && baseImages.includes(repository))
        return [{ path: at, message: `${title}: image ${name} has no tag latest` }]
      const message = `${title}: image ${name} has no fixed tag, so other content can run on the node as SYSTEM`
      return isHostProcess(workload) ? [{ path: at, message, severity: 'warning' }] : []
    }),
})
