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
  summary: 'Images of add-ons are for the Windows release of the nodes.',
  remedy: 'Use a tag for the Windows release of the profile.',
  see: 'https://learn.microsoft.com/en-us/virtualization/windowscontainers/deploy-containers/version-compatibility',
  check: (facts) => {
    const { fluentBit, imagePull } = facts.spec.cluster
    const { name } = facts.windows
    const shipper = fluentBit.enabled ? (fluentBit.image ?? '') : ''
    const ofFluentBit = otherBuilds(shipper, facts, false)
    const known = buildsOf(shipper, new Map())
    return [
      ...when(
        ofFluentBit.length > 0,
        ['cluster', 'fluentBit', 'image'],
        `${shipper} has build ${ofFluentBit.join(', ')}, which ${name} does not run`,
      ),
      ...(shipper !== '' && known.builds === undefined && !known.runsOnEvery
        ? [
            {
              path: ['cluster', 'fluentBit', 'image'],
              severity: 'info' as const,
              harm: 'limits' as const,
              remedy: 'Check that the image has a Windows build that the nodes run.',
              message: `${shipper}: its Windows builds are unknown`,
            },
          ]
        : []),
      // The nodes pull it, and a HostProcess pod runs it: only a waste.
      ...imagePull.images.flatMap((image, at) => {
        const builds = otherBuilds(image, facts, true)
        return builds.length > 0
          ? [
              {
                path: ['cluster', 'imagePull', 'images', at],
                severity: 'warning' as const,
                harm: 'limits' as const,
                message: `${image} has build ${builds.join(', ')}: on ${name} only HostProcess pods run it`,
              },
            ]
          : []
      }),
    ]
  },
})
