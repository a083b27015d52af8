// Cases of Calico's operator as profiles: pools and service CIDRs.
import { isList, type Json } from '../../src/model/json.ts'
import type { Express, Expression } from './case.ts'
import { entriesOf, put } from './document.ts'

/** Parts of the Installation that a profile decides. */
const fields: Readonly<Record<string, (value: Json) => Expression>> = {
  '/spec/serviceCIDRs': (value) =>
    isList(value) ? { profile: put(['network', 'serviceCIDRs'], value) } : lacks,
  '/spec/calicoNetwork/ipPools/0/cidr': (value) =>
    value === null ? lacks : { profile: put(['network', 'podCIDRs'], [value]) },
}

const lacks = { because: 'winnode always writes it' }

export const expressCalico: Express = (one): Expression => {
  if (one.id.startsWith('object-') && one.id !== 'object-installation-service-cidrs-not-cidr')
    return { because: 'winnode writes the objects' }
  const entries = entriesOf(one.change)
  const [[pointer, value] = ['', null]] = entries
  if (entries.length === 0 && one.base === undefined) return { profile: {} }
  if (entries.length !== 1) return { because: 'other objects of the cluster, or several parts' }
  return fields[pointer]?.(value) ?? { because: 'a profile has no such part of the Installation' }
}
