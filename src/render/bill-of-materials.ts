// bom.json: the downloads and images that a node needs.
import type { Component, Plan } from '../model/plan.ts'

export interface BillOfMaterials {
  readonly apiVersion: 'winnode/v1'
  readonly kind: 'BillOfMaterials'
  readonly name: string
  readonly components: readonly Component[]
}

export function billOfMaterials({ name, components }: Plan): BillOfMaterials {
  return { apiVersion: 'winnode/v1', kind: 'BillOfMaterials', name, components }
}
