// All diagnoses by topic; topics that others depend on come first.
import { everyCni } from '../../cni/index.ts'
import type { Diagnosis } from '../../report/diagnosis.ts'
import { images } from './images.ts'
import { kubelet } from './kubelet.ts'
import { kubeProxy } from './kube-proxy.ts'
import { machine } from './machine.ts'
import { join } from './join.ts'
import { network } from './network.ts'
import { services } from './services.ts'
import { windows } from './windows.ts'

const plugins = everyCni.flatMap(({ diagnoses: rows }) => rows)

export const topics: Readonly<Record<string, readonly Diagnosis[]>> = {
  Windows: windows,
  Machine: machine,
  Services: services,
  kubelet,
  Join: join,
  'Network plugins': plugins,
  Network: network,
  'kube-proxy': kubeProxy,
  Images: images,
}

/** `explains` of plugin diagnoses is added to `causedBy` of the diagnoses it names. */
export const diagnoses: readonly Diagnosis[] = Object.values(topics)
  .flat()
  .map((row) => {
    const causes = plugins.filter(({ explains }) => explains?.includes(row.id)).map(({ id }) => id)
    return causes.length > 0 ? { ...row, causedBy: [...(row.causedBy ?? []), ...causes] } : row
  })
