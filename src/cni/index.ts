// The network plugins that winnode knows how to set up.
import type { Cni } from '../model/cni.ts'
import type { CniName } from '../model/spec.ts'
import { antrea } from './antrea/index.ts'
import { flannel } from './flannel/index.ts'

const cnis = [flannel, antrea] as const satisfies readonly Cni[]

export function cniOf(name: CniName): Cni {
  return cnis.find((cni) => cni.id === name) ?? flannel
}
