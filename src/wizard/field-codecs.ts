// Codecs of fields that are typed in a shorter form than the profile has.
import { isList, isObject, type Json } from '../model/json.ts'
import { list, orJson, pairs, toText, type TextCodec } from './text-codec.ts'

const decodeUrl = (text: string): Json => ({ url: text })
const encodeUrl = (value: Json) => toText(isObject(value) ? (value['url'] ?? null) : value)

/** http://proxy.example.com:3128 */
export const proxy: TextCodec = orJson('{', { kind: 'text', decode: decodeUrl, encode: encodeUrl })

/** registry.k8s.io=https://mirror.example.com */
export const mirrors: TextCodec = pairs({
  decode: (text) => [decodeUrl(text)],
  encode: (value) => (isList(value) ? value.map(encodeUrl).join(' ') : toText(value)),
})

/** os=windows:NoSchedule, as kubectl writes taints */
export const taints: TextCodec = list({ decode: decodeTaint, encode: encodeTaint })

function decodeTaint(word: string): Json {
  const [, key, value, effect = ''] = /^([^=:]+)(?:=([^:]*))?:([A-Za-z]+)$/.exec(word) ?? []
  if (key === undefined) return word
  return { key, ...(value === undefined ? {} : { value }), effect }
}

function encodeTaint(taint: Json): string {
  if (!isObject(taint)) return toText(taint)
  const { key = null, value, effect = null } = taint
  return `${toText(key)}${value === undefined ? '' : `=${toText(value)}`}:${toText(effect)}`
}
