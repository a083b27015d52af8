// bom.json: the downloads and images that a node needs.
import type { BillItem, Plan } from '../model/plan.ts'

export interface BillOfMaterials {
  readonly apiVersion: 'winnode/v1'
  readonly kind: 'BillOfMaterials'
  readonly name: string
  readonly components: readonly BillItem[]
}

export function billOfMaterials({ name, bill }: Plan): BillOfMaterials {
  return { apiVersion: 'winnode/v1', kind: 'BillOfMaterials', name, components: bill }
}
