// Drift of nodes with a provider's image: only what the bundle carries is compared, and only a new node gets a change.
import { carries, cniOf } from '../cni/index.ts'
import { documentOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { isOfSameMinor } from '../matrix/standing.ts'
import type { Drift } from '../model/drift.ts'
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { parsePath } from '../model/path.ts'
import type { CniName } from '../model/plugin-settings.ts'

/** Differences as they are where the bundle installs the node. */
export function forImage(drifts: readonly Drift[], cni: CniName): readonly Drift[] {
  const { image } = cniOf(cni)
  if (!image) return drifts
  return drifts
    .filter((drift) => carries(cni, drift.field ?? []) && !isPatch(drift))
    .map((drift): Drift => {
      if (drift.weight === 'not-working') return { ...drift, remedy: image.inspect }
      const isOfNode = ![undefined, 'nothing'].includes(drift.need)
      return isOfNode ? { ...drift, need: 'machine', remedy: image.replace } : drift
    })
}

/** The image decides the patch version of its kubelet. */
const isPatch = ({ id, was, should }: Drift) =>
  id === 'version-differs' &&
  typeof was === 'string' &&
  typeof should === 'string' &&
  isOfSameMinor(was, should)

/** The settings that the kubelet gets as arguments; undefined where the bundle has its configuration file. */
export function kubeletOfImage(facts: Facts): JsonObject | undefined {
  const { cni } = facts.spec.network
  if (!cniOf(cni).image) return undefined
  const rows = kubelet.rows.filter(
    ({ field }) => field !== undefined && carries(cni, parsePath(field) ?? []),
  )
  return { ...documentOf(rows, facts), ...facts.spec.kubelet.config }
}
