// The sizing models that `reserve.model` can name.
import type { SizingModel } from './model.ts'
import { aksModels } from './models/aks.ts'
import { eksModels } from './models/eks.ts'
import { gkeModels } from './models/gke.ts'
import { openshiftModels } from './models/openshift.ts'
import { upstreamMinimum } from './models/upstream.ts'
import { winnodeModel } from './models/winnode.ts'

export const sizingModels: readonly SizingModel[] = [
  winnodeModel,
  ...aksModels,
  ...eksModels,
  ...gkeModels,
  ...openshiftModels,
  upstreamMinimum,
]

export function findSizingModel(id: string): SizingModel | undefined {
  return sizingModels.find((model) => model.id === id)
}
