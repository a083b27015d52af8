// Images of add-ons that contain Windows: whether the nodes run them.
import { buildsOf } from '../../matrix/image-builds.ts'
import { pickBuild } from '../../matrix/image-isolation.ts'
import type { Facts } from '../../model/facts.ts'
import { defineRule, when } from '../../model/rule.ts'

/** The builds of an image that no node of the profile runs; none if they are unknown. */
function otherBuilds(image: string, { windows, spec }: Facts, inVM: boolean): readonly number[] {
  const { builds = [] } = buildsOf(image, new Map())
  const runs =
    pickBuild(windows.build, builds) !== undefined ||
    (inVM && spec.isolation.hyperV && builds.some((build) => build <= windows.build))
  return runs ? [] : builds
}

export const imageOfAnotherBuild = defineRule({
  id: 'addon-image-of-another-build',
  severity: 'error',
  severityVaries: true,
  summary: 'Images of add-ons are for the Windows release of the nodes.',
  remedy: 'Use a tag for the Windows release of the profile.',
  see: 'https://learn.microsoft.com/en-us/virtualization/windowscontainers/deploy-containers/version-compatibility',
  check: (facts) => {
    const { fluentBit, imagePull } = facts.spec.cluster
    const { name } = facts.windows
    const fluentBitImage = fluentBit.enabled ? (fluentBit.image ?? '') : ''
    const ofFluentBit = otherBuilds(fluentBitImage, facts, false)
    return [
      ...when(
        ofFluentBit.length > 0,
        ['cluster', 'fluentBit', 'image'],
        `${fluentBitImage} has build ${ofFluentBit.join(', ')}, which ${name} does not run`,
      ),
      // The nodes pull it, and a HostProcess pod runs it: only a waste.
      ...imagePull.images.flatMap((image, at) => {
        const builds = otherBuilds(image, facts, true)
        return when(
          builds.length > 0,
          ['cluster', 'imagePull', 'images', at],
          `${image} has build ${builds.join(', ')}: on ${name} only HostProcess pods run it`,
          { severity: 'warning', harm: 'limits' },
        )
      }),
    ]
  },
})

export const imageOfUnknownBuilds = defineRule({
  id: 'addon-image-of-unknown-builds',
  severity: 'info',
  harm: 'limits',
  summary: 'The tags of the add-ons’ images name their Windows builds.',
  remedy: 'Check that the image has a Windows build that the nodes run.',
  see: 'https://learn.microsoft.com/en-us/virtualization/windowscontainers/deploy-containers/version-compatibility',
  check: ({ spec: { cluster } }) => {
    const { enabled, image } = cluster.fluentBit
    if (!enabled || image === undefined) return []
    const { builds, runsOnEvery } = buildsOf(image, new Map())
    return when(
      builds === undefined && !runsOnEvery,
      ['cluster', 'fluentBit', 'image'],
      `${image}: its Windows builds are unknown`,
    )
  },
})
