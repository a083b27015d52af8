// What client-go says of a kubeconfig when a program starts: tools/clientcmd, validation.go and client_config.go.
import { isList, isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { refused, type Finding } from './finding.ts'

export function judgeKubeconfig(
  document: JsonObject,
  exists: (path: string) => boolean,
): readonly Finding[] {
  const context = textAt(document, 'current-context')
  const chosen = named(document, 'contexts', 'context', context)
  const cluster = named(document, 'clusters', 'cluster', textAt(chosen, 'cluster'))
  const user = named(document, 'users', 'user', textAt(chosen, 'user'))
  const files = [
    textAt(user, 'tokenFile'),
    textAt(user, 'client-certificate'),
    textAt(user, 'client-key'),
    textAt(cluster, 'certificate-authority'),
  ].filter((path) => path !== '')
  return [
    ...(context !== '' && !chosen
      ? [refused(`context was not found for specified context: ${context}`)]
      : []),
    ...(textAt(cluster, 'server') === '' ? [refused('cluster has no server defined')] : []),
    ...files
      .filter((path) => !exists(path))
      .map((path) => refused(`fail to create kubernetes config: open ${path}: File not found.`)),
  ]
}

function named(
  document: JsonObject,
  list: string,
  member: string,
  name: string,
): JsonObject | undefined {
  const items = document[list]
  const found = isList(items) ? items.find((item) => textAt(item, 'name') === name) : undefined
  const value = isObject(found) ? found[member] : undefined
  return isObject(value) ? value : undefined
}

function textAt(value: Json | undefined, key: string): string {
  const text = isObject(value) ? value[key] : undefined
  return typeof text === 'string' ? text : ''
}
