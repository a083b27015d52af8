// Fields of a pod that only Linux has, and the API servers that reject them in a pod for Windows.
import tables from '#tables'
import type { PodField } from '../model/tables.ts'
import { inRange } from './version.ts'

export const podFields: readonly PodField[] = tables['pod-fields'].fields

/** Whether the API server rejects it beside `os.name: windows`. */
export function refusesField({ refused }: PodField, apiServer: string): boolean {
  return inRange(apiServer, refused)
}

/** The reason with which a kubelet on Windows rejects a pod with the field. */
export function kubeletRefusal({ rejected }: PodField, kubelet: string): string | undefined {
  return rejected && inRange(kubelet, rejected.kubelets) ? rejected.reason : undefined
}
