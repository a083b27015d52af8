// Which fields a computed default depends on: the fields that the function computing it reads.
import { isWithin, type Path } from '../model/path.ts'
import { recordReads } from '../model/reads.ts'
import type { ProfileValues } from './fields/index.ts'
import { everyCni } from '../cni/index.ts'
import {
  approvedCIDRsOf,
  approverOf,
  backendOf,
  blockWireserverOf,
  clusterDNSOf,
  discoveryFileOf,
  fluentBitImageOf,
  nameOf,
  proxyCredentialsOf,
} from './computed-values.ts'
import {
  apiServerOf,
  configVersionOf,
  containerdVersionOf,
  crictlOf,
  kubeadmOf,
  kubeletOf,
  kubeProxyOf,
  sandboxImageOf,
} from './versions.ts'

/** Each computed field and the function that computes it in `resolveProfile`. */
export const decided: readonly (readonly [
  field: Path,
  decide: (values: ProfileValues) => unknown,
])[] = [
  [['kubernetes', 'version'], kubeletOf],
  [['kubernetes', 'apiServer'], apiServerOf],
  [['kubernetes', 'kubeProxy'], kubeProxyOf],
  [['kubernetes', 'kubeadm'], kubeadmOf],
  [['containerd', 'version'], containerdVersionOf],
  [['containerd', 'configVersion'], configVersionOf],
  [['containerd', 'crictl'], crictlOf],
  [['sandboxImage'], sandboxImageOf],
  [['network', 'backend'], ({ network }) => backendOf(network)],
  [['network', 'name'], ({ network }) => nameOf(network)],
  [['network', 'blockWireserver'], blockWireserverOf],
  [['network', 'clusterDNS'], ({ network }) => clusterDNSOf(network)],
  [['kubelet', 'servingCertificateApprover'], approverOf],
  [['kubeProxy', 'credentials'], proxyCredentialsOf],
  [['cluster', 'csrApprover', 'nodeCIDRs'], approvedCIDRsOf],
  [['cluster', 'fluentBit', 'image'], fluentBitImageOf],
  ...everyCni.flatMap(({ id, decided: own = {} }) =>
    Object.entries(own).map(
      ([field, decide]) =>
        [
          ['network', id, field],
          ({ network, join }: ProfileValues) =>
            // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the compiler cannot infer that a name and its plugin match
            decide(network[id] as never, join.endpoint),
        ] as const,
    ),
  ),
  [['join', 'discoveryFile'], ({ join }) => discoveryFileOf(join)],
]

function sourcesIn(
  values: ProfileValues,
): readonly (readonly [field: Path, from: readonly Path[]])[] {
  return decided.map(([field, decide]) => {
    const { value, reads } = recordReads(values)
    decide(value)
    return [field, reads()]
  })
}

/** The refused paths, and the fields computed from one of them, which are unknown too. */
export function withDependents(refused: readonly Path[], values: ProfileValues): readonly Path[] {
  if (refused.length === 0) return refused
  const isRefused = (read: Path) => refused.some((path) => isWithin(read, path))
  return [
    ...refused,
    ...sourcesIn(values).flatMap(([field, from]) =>
      from.some(isRefused) && !isRefused(field) ? [field] : [],
    ),
  ]
}

/** The paths, and the fields from which the unset ones among them are computed. */
export function withDependencies(paths: readonly Path[], values: ProfileValues): readonly Path[] {
  return [
    ...paths,
    ...sourcesIn(values).flatMap(([field, from]) =>
      paths.some((path) => isWithin(path, field)) ? from : [],
    ),
  ]
}
