// Taints as kubectl writes them: os=windows:NoSchedule.
import { isObject, type Json } from '../model/json.ts'
import { list, plain } from './writing.ts'

const form = /^([^=:]+)(?:=([^:]*))?:([A-Za-z]+)$/

function read(word: string): Json {
  const [, key = '', value, effect = ''] = form.exec(word) ?? []
  if (key === '') return word
  return { key, ...(value === undefined ? {} : { value }), effect }
}

function show(taint: Json): string {
  if (!isObject(taint)) return plain(taint)
  const { key, value, effect } = taint
  return `${plain(key ?? null)}${value === undefined ? '' : `=${plain(value)}`}:${plain(effect ?? null)}`
}

export const taints = list(read, show)
