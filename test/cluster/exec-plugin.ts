// The exec plugin of a kubeconfig, and what it writes.
import type { JsonObject } from '../../src/model/json.ts'
import { secret } from './asking.ts'

/** An exec plugin that is this Node. */
export const plugin = (script: string, over: JsonObject = {}): JsonObject => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', script],
    interactiveMode: 'Never',
    ...over,
  },
})
export const writes = (status: JsonObject, over: JsonObject = {}) =>
  `console.error(${JSON.stringify(secret)}); console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:${JSON.stringify(status)},...${JSON.stringify(over)}}))`
