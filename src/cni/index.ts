// The network plugins that winnode knows how to set up.
import type { Cni } from '../model/cni.ts'
import type { Rule } from '../model/rule.ts'
import type { CniName } from '../model/spec.ts'
import { antrea } from './antrea/index.ts'
import { flannel } from './flannel/index.ts'

/** A name without its plugin does not compile. */
const cnis: Readonly<Record<CniName, Cni>> = { flannel, antrea }

export function cniOf(name: CniName): Cni {
  return cnis[name]
}

export const cniRules: readonly Rule[] = Object.values(cnis).flatMap(({ rules }) => rules)
