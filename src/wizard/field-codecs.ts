// Codecs of fields that are typed in a shorter form than the profile has.
import { isList, isObject, toText, type Json } from '../model/json.ts'
import { list, orJson, pairs, type TextCodec } from './text-codec.ts'

const decodeUrl = (text: string): Json => ({ url: text })
const encodeUrl = (value: Json) => toText(isObject(value) ? (value['url'] ?? null) : value)

/** http://proxy.example.com:3128 */
export const proxy: TextCodec = orJson('{', { kind: 'text', decode: decodeUrl, encode: encodeUrl })

/** Without a scheme an address is one of https. */
const withScheme = (text: string) =>
  /^\w[\w.-]*(?::\d+)?(?:\/|$)/.test(text) ? `https://${text}` : text

/** A path after /v2, as Harbor has its projects, is the whole path: containerd would append /v2 again. */
const decodeMirror = (text: string): Json => {
  const url = withScheme(text)
  return /^https?:\/\/[^/]+\/v2\/./.test(url) ? { url, overridePath: true } : { url }
}

/** The address that was typed, if it is one. */
const exampleUrl = (text: string) => {
  const url = withScheme(text)
  return /^https?:\/\//.test(url) ? url : 'https://mirror.example.com'
}

/** registry.k8s.io=https://mirror.example.com */
export const mirrors: TextCodec = pairs(
  {
    decode: (text) => [decodeMirror(text)],
    encode: (value) => (isList(value) ? value.map(encodeUrl).join(' ') : toText(value)),
  },
  (text) => `REGISTRY=URL, for example registry.k8s.io=${exampleUrl(text)}`,
)

/** kubernetes=https://mirror.example.com/kubernetes */
export const downloads: TextCodec = pairs(
  { decode: withScheme, encode: toText },
  (text) => `SOURCE=URL, for example kubernetes=${exampleUrl(text)}`,
)

/**
 * Host and port; also an address as a kubeconfig has it, https://api.example.com:6443/, or the line that kubeadm prints:
 * `kubeadm join HOST:PORT --token ... --discovery-token-ca-cert-hash sha256:...`
 */
export const endpoint: TextCodec = {
  kind: 'text',
  decode: (typed) => {
    const [, text = typed] = /^kubeadm join (\S+)/.exec(typed.trim()) ?? []
    const [, host = text] = /^https:\/\/([^/?#]+)\/?$/i.exec(text) ?? []
    return host === text || /:\d+$/.test(host) ? host : `${host}:443`
  },
  encode: toText,
}

/** Hashes; also in the line that kubeadm prints. */
export const joinHashes: TextCodec = list({
  decode: (text) => /--discovery-token-ca-cert-hash[ =](\S+)/.exec(text)?.[1] ?? text,
  encode: toText,
})

/** os=windows:NoSchedule, as kubectl writes taints */
export const taints: TextCodec = {
  ...list({ decode: decodeTaint, encode: encodeTaint }),
  form: () => 'KEY=VALUE:EFFECT, for example os=windows:NoSchedule',
}

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
