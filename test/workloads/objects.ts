// Objects of Kubernetes for the rules of workloads.
import { check } from '../../src/check.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import type { Facts } from '../../src/model/facts.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { lint, type LintInput, type LintResult } from '../../src/workloads/lint.ts'
import { manifestsOf } from '../../src/workloads/manifest.ts'
import { root } from '../tools/run.ts'

const place = () => ({ file: 'web.yaml', line: 1, column: 1 })

export function linted(objects: readonly JsonObject[], context: LintInput = {}): LintResult {
  return lint(
    objects.flatMap((object) => manifestsOf(object, place)),
    context,
  )
}

export const limits = { cpu: '1', memory: '1Gi' }

/** One that no rule has anything against. */
export const container = {
  name: 'app',
  image: 'mcr.microsoft.com/windows/nanoserver:ltsc2022',
  resources: { limits, requests: limits },
} as const

/** The same, for a pod; `spec` replaces its fields. */
export function pod(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' }, ...metadata },
    spec: {
      os: { name: 'windows' },
      nodeSelector: {
        'kubernetes.io/os': 'windows',
        'node.kubernetes.io/windows-build': '10.0.20348',
      },
      tolerations: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }],
      containers: [container],
      ...spec,
    },
  }
}

/** With fields of its only container. */
export function app(fields: JsonObject, spec: JsonObject = {}): JsonObject {
  return pod({ ...spec, containers: [{ ...container, ...fields }] })
}

export const hostProcess = {
  hostNetwork: true,
  securityContext: {
    windowsOptions: { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' },
  },
} as const

export function service(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  }
}

/** A pod that a Service of the same labels selects too. */
export const linux = pod({ os: { name: 'linux' }, nodeSelector: {} })

/** The facts of a built-in profile, with some of its fields changed. */
export function nodeOf(profile: string, patch: JsonObject = {}): Facts {
  const { layers, name } = loadProfile({ profile, root, cwd: root })
  const changed = { name: 'test', patch, place: () => undefined }
  return check([...layers, changed], name, { today: '2026-11-20' }).facts
}
