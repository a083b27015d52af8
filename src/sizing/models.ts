// The sizing models that `reserve.model` can name.
import tables from '#tables'
import type { SizingModel } from '../model/tables.ts'

export const sizingModels = tables['sizing-models'].models

/** Per-pod memory as on EKS, on top of the minimum that Kubernetes documents for Windows. */
export const [defaultModel] = sizingModels

/** Shown below the comparison of all models. */
export const whyDefault =
  'Kubernetes asks for 2Gi for Windows itself; winnode keeps that, and for the kubelet and containerd what Amazon (memory) and Google (CPU) keep. Nobody publishes a model for Windows nodes of any kind.'

export function findSizingModel(id: string): SizingModel | undefined {
  return sizingModels.find((model) => model.id === id)
}
