// A Service that kube-proxy implements, and the workloads behind it.
import { type JsonObject, textAt, textsAt } from '../model/json.ts'
import { valueAt, isObject } from '../model/json.ts'
import { type Manifest, namespaceOf } from './manifest.ts'
import type { Workload } from './workload.ts'

export interface Service {
  readonly manifest: Manifest
  readonly spec: JsonObject
}

/** `undefined` for another object, and for a Service that kube-proxy does not read. */
export function serviceOf(manifest: Manifest): Service | undefined {
  const spec = valueAt(manifest.value, ['spec'])
  const isService = manifest.kind === 'Service' && manifest.group === ''
  if (!isService || !isObject(spec) || textAt(spec, ['type']) === 'ExternalName') return undefined
  return { manifest, spec }
}

/** Whether its selector matches the pods of the workload. */
export function selects({ manifest, spec }: Service, workload: Workload): boolean {
  const selector = Object.entries(textsAt(spec, ['selector']))
  return (
    selector.length > 0 &&
    namespaceOf(workload.manifest) === namespaceOf(manifest) &&
    selector.every(([key, value]) => workload.labels[key] === value)
  )
}
