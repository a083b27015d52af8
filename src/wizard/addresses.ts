// Addresses of which the profile can say more than people usually do.
import { isList, isObject, type Json } from '../model/json.ts'
import { orJson, pairs, plain, type Writing } from './writing.ts'

const url = (text: string): Json => ({ url: text })
const urlOf = (value: Json) => plain(isObject(value) ? (value['url'] ?? null) : value)

/** http://proxy.example.com:3128 */
export const proxy: Writing = orJson('{', { kind: 'text', read: url, show: urlOf })

/** registry.k8s.io=https://mirror.example.com */
export const mirrors: Writing = pairs(
  (text) => [url(text)],
  (value) => (isList(value) ? value.map(urlOf).join(' ') : plain(value)),
)
