// Cases of KubeletConfiguration as profiles.
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import type { Express, Expression } from './case.ts'
import { entriesOf, joined, put } from './document.ts'

type Place = (value: Json | undefined) => JsonObject | undefined

const at =
  (...path: readonly string[]): Place =>
  (value) =>
    put(path, value)

/** Fields of the file that a profile has another place for. */
const places: Readonly<Record<string, Place>> = {
  clusterDNS: at('network', 'clusterDNS'),
  clusterDomain: at('network', 'clusterDomain'),
  evictionHard: at('reserve', 'evictionHard'),
  featureGates: at('kubelet', 'featureGates'),
  kubeReserved: amounts('kube'),
  maxPods: at('kubelet', 'maxPods'),
  providerID: at('kubelet', 'providerID'),
  registerWithTaints: at('kubelet', 'taints'),
  serverTLSBootstrap: (value) =>
    value === true ? put(['kubelet', 'servingCertificateApprover'], 'approver') : undefined,
  shutdownGracePeriod: at('kubelet', 'shutdownGracePeriod'),
  shutdownGracePeriodCriticalPods: at('kubelet', 'shutdownGracePeriodCriticalPods'),
  systemReserved: amounts('system'),
}

const names: Readonly<Record<string, string>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'ephemeralStorage',
}

function amounts(whose: string): Place {
  return (value) => {
    const entries = entriesOf(value)
    const known = isObject(value) && entries.every(([kind]) => Object.hasOwn(names, kind))
    if (!known) return undefined
    return put(
      ['reserve', whose],
      Object.fromEntries(entries.map(([kind, amount]) => [names[kind] ?? '', amount])),
    )
  }
}

export const expressKubelet: Express = ({ base, change = {} }): Expression => {
  if (base === undefined) return { profile: {} }
  const { config, text, dropIns, flags, environment } = change
  if (text !== undefined) return { because: 'winnode writes the text of the file' }
  if (dropIns !== undefined || environment !== undefined)
    return { because: 'files of the drop-in folder are written on the node' }
  if (flags !== undefined) return { because: 'a profile gives the kubelet no flag' }
  if (entriesOf(config).some(([, value]) => value === null))
    return { because: 'a null in a profile takes a field away' }
  return { profile: profileOf(config) }
}

function profileOf(config: Json | undefined): JsonObject {
  const rest: [string, Json][] = []
  const moved: JsonObject[] = []
  for (const [key, value] of entriesOf(config)) {
    const place = Object.hasOwn(places, key) ? places[key]?.(value) : undefined
    if (place) moved.push(place)
    else rest.push([key, value])
  }
  return joined([...moved, put(['kubelet', 'config'], Object.fromEntries(rest))])
}
