// All diagnoses, by what they are of: what breaks first comes first.
import { everyCni } from '../../cni/index.ts'
import type { Diagnosis } from '../../report/diagnosis.ts'
import { images } from './images.ts'
import { kubelet } from './kubelet.ts'
import { kubeProxy } from './kube-proxy.ts'
import { machine } from './machine.ts'
import { membership } from './membership.ts'
import { network } from './network.ts'
import { services } from './services.ts'
import { windows } from './windows.ts'

const plugins = everyCni.flatMap(({ diagnoses: rows }) => rows)

export const topics: Readonly<Record<string, readonly Diagnosis[]>> = {
  Windows: windows,
  Machine: machine,
  Services: services,
  kubelet,
  Membership: membership,
  'Network plugins': plugins,
  Network: network,
  'kube-proxy': kubeProxy,
  Images: images,
}

/** Each with the diagnoses of plugins that explain it. */
export const diagnoses: readonly Diagnosis[] = Object.values(topics)
  .flat()
  .map((row) => {
    const causes = plugins.filter(({ explains }) => explains?.includes(row.id)).map(({ id }) => id)
    return causes.length > 0 ? { ...row, follows: [...(row.follows ?? []), ...causes] } : row
  })
