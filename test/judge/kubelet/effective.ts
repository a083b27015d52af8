// A KubeletConfiguration as the kubelet runs with it: defaults, drop-ins and flags applied.
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { at } from './defaults.ts'
import { textOf } from '../go/scalar.ts'

export class Config {
  readonly document: JsonObject
  readonly version: string
  readonly on: (gate: string) => boolean
  constructor(document: JsonObject, version: string, on: (gate: string) => boolean) {
    this.document = document
    this.version = version
    this.on = on
  }
  at(path: string): Json | undefined {
    return at(this.document, path)
  }
  text(path: string): string {
    const value = this.at(path)
    return typeof value === 'string' ? value : ''
  }
  number(path: string): number {
    return Number(this.at(path) ?? 0)
  }
  /** Nanoseconds. */
  time(path: string): number {
    return parseDuration(this.text(path)) ?? 0
  }
  list(path: string): readonly Json[] {
    const value = this.at(path)
    return isList(value) ? value : []
  }
  entries(path: string): readonly (readonly [key: string, value: string])[] {
    const value = this.at(path)
    const entries = Object.entries(isObject(value) ? value : {})
    return entries.map(([key, member]) => [key, textOf(member)])
  }
  has(path: string): boolean {
    return this.at(path) !== undefined
  }
}
