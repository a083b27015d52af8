// Cases of KubeProxyConfiguration as profiles.
import { isList, isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import type { Express, Expression } from './case.ts'
import { entriesOf, joined, put } from './document.ts'

type Place = (value: Json) => JsonObject

const at =
  (...path: readonly string[]): Place =>
  (value) =>
    put(path, value)

const places: Readonly<Record<string, Place>> = {
  featureGates: at('kubeProxy', 'featureGates'),
  metricsBindAddress: at('kubeProxy', 'metricsBindAddress'),
  clusterCIDR: (value) =>
    put(
      ['network', 'podCIDRs'],
      typeof value === 'string' ? value.split(',').map((text) => text.trim()) : value,
    ),
}

const winkernel: Readonly<Record<string, Place>> = {
  enableDSR: at('network', 'dsr'),
  networkName: at('network', 'name'),
  sourceVip: at('network', 'sourceVip'),
}

export const expressKubeProxy: Express = ({ base, change = {} }): Expression => {
  if (base === undefined) return { profile: {} }
  const { config, text, flags } = change
  if (text !== undefined) return { because: 'winnode writes the text of the file' }
  if (flags !== undefined) return { because: 'a profile gives kube-proxy no flag' }
  if (isObject(config) && config['clusterCIDR'] === '')
    return { because: 'winnode always writes the pod network' }
  if (isObject(config) && isList(config['clusterCIDR']))
    return { because: 'winnode writes the list of a profile as one text' }
  return { profile: joined(entriesOf(config).flatMap(([key, value]) => partsOf(key, value))) }
}

function partsOf(key: string, value: Json): readonly JsonObject[] {
  const place = Object.hasOwn(places, key) ? places[key] : undefined
  if (place) return [place(value)]
  if (key !== 'winkernel' || !isObject(value)) return [put(['kubeProxy', 'config', key], value)]
  return entriesOf(value).map(([name, inner]) => {
    const own = Object.hasOwn(winkernel, name) ? winkernel[name] : undefined
    return own ? own(inner) : put(['kubeProxy', 'config', 'winkernel', name], inner)
  })
}
