// The versions that a cluster runs, as the start of an upgrade, and where the profile differs from them.
import { isOfLaterMinor, isOfSameMinor } from '../matrix/standing.ts'
import type { Layer } from '../model/layer.ts'

export interface Running {
  readonly apiServer: string
  /** Names of Windows nodes by kubelet version, the oldest first. */
  readonly nodes: ReadonlyMap<string, readonly string[]>
}

/** The oldest nodes are the start: the skew of their kubelet limits the control plane. */
export function layerOfRunning({ apiServer, nodes }: Running): Layer {
  const [version = apiServer] = nodes.keys()
  return {
    name: 'the cluster',
    patch: { kubernetes: { version, apiServer } },
    place: () => undefined,
  }
}

/** What runs, and where the profile says something else. */
export function runningLines(
  { apiServer, nodes }: Running,
  profile: { readonly version: string; readonly apiServer: string },
): readonly string[] {
  const standing = isOfSameMinor(apiServer, profile.apiServer)
    ? ''
    : `, ${isOfLaterMinor(apiServer, profile.apiServer) ? 'ahead of' : 'behind'} the profile (${profile.apiServer})`
  return [
    `the control plane has ${apiServer}${standing}`,
    ...[...nodes].map(([version, names]) => {
      const differs = version === profile.version ? '' : `; the profile has ${profile.version}`
      const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
      return `${names.slice(0, 3).join(', ')}${more}: ${version}${differs}`
    }),
  ]
}
