// The sizing models that `reserve.model` can name.
import tables from '#tables'
import type { SizingModel } from '../model/tables.ts'

export const sizingModels = tables['sizing-models'].models

/** Per-pod memory as on EKS, on top of the minimum that Kubernetes documents for Windows. */
export const [defaultModel] = sizingModels

/** Shown below the comparison of all models. */
export const whyDefault =
  'It reserves 2Gi for Windows, as Kubernetes documents, and for the kubelet and containerd the same as Amazon (memory) and Google (CPU). No upstream model covers all kinds of Windows nodes.'

export function findSizingModel(id: string): SizingModel | undefined {
  return sizingModels.find((model) => model.id === id)
}
