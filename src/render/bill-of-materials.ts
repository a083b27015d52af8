// bom.json: the downloads and images that a node needs, and the scripts that run on it.
import type { BillItem, Plan } from '../model/plan.ts'
import { digestList, type Digests } from './digest.ts'

export interface BillOfMaterials {
  readonly apiVersion: 'winnode/v1'
  readonly kind: 'BillOfMaterials'
  readonly name: string
  readonly components: readonly BillItem[]
  /** The PowerShell of the bundle, which is the same in every bundle of a version of winnode. */
  readonly scripts: readonly { readonly path: string; readonly sha256: string }[]
}

export function billOfMaterials({ name, bill }: Plan, digests: Digests): BillOfMaterials {
  const scripts = digestList(digests).filter(({ path }) => /\.psm?1$/.test(path))
  return { apiVersion: 'winnode/v1', kind: 'BillOfMaterials', name, components: bill, scripts }
}
