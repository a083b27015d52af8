// Cases of CredentialProviderConfig as profiles.
import { isList, isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { textOf } from '../judge/go/scalar.ts'
import { isBefore } from '../judge/minors.ts'
import type { Express, Expression } from './case.ts'
import { entriesOf, put } from './document.ts'

const fields = ['name', 'apiVersion', 'matchImages', 'defaultCacheDuration', 'args', 'env']

export const expressProviders: Express = ({ input = {} }, version): Expression => {
  const { config, binDirectory, configPath } = input
  const written = isBefore(version, '1.26') ? 'v1beta1' : 'v1'
  const { apiVersion, kind, providers = [] } = isObject(config) ? config : {}
  const heads = [apiVersion, ...versionsOf(providers)].map(textOf)
  if (kind !== 'CredentialProviderConfig' || !heads.every((text) => text.endsWith(`/${written}`)))
    return { because: `winnode writes the head of the file, and each minor’s own version` }
  if (!textOf(configPath).endsWith('.json')) return { because: 'winnode names the file' }
  const list = isList(providers) ? providers : []
  const keys = list.flatMap((one) => entriesOf(one).map(([key]) => key))
  if (!keys.every((key) => fields.includes(key)))
    return { because: 'a provider of a profile has no such field' }
  if (list.some((one) => isObject(one) && one['name'] === ''))
    return { because: 'a provider of a profile has a program' }
  if (list.some((one) => isObject(one) && one['defaultCacheDuration'] === undefined))
    return { because: 'a provider of a profile has a duration' }
  if (list.some((one) => isObject(one) && one['env'] !== undefined && !isList(one['env'])))
    return { because: 'variables of a profile are a map' }
  return {
    profile: put(['registry', 'credentialProvider'], {
      binDirectory,
      providers: list.map(providerOf),
    }),
  }
}

const versionsOf = (providers: Json) =>
  (isList(providers) ? providers : []).map((one) => (isObject(one) ? one['apiVersion'] : ''))

/** A list of names and values is a map here; whatever is neither stays as it is. */
function providerOf(one: Json): JsonObject {
  const { env, ...given } = isObject(one) ? one : {}
  const rest = Object.fromEntries(entriesOf(given).filter(([key]) => key !== 'apiVersion'))
  if (env === undefined) return rest
  const pairs = (isList(env) ? env : []).map((pair) => (isObject(pair) ? pair : {}))
  return { ...rest, env: Object.fromEntries(pairs.map(({ name, value }) => [textOf(name), value])) }
}
