// Compiles a profile and renders its bundle, in memory.
import type { Checked } from '../../src/check.ts'
import { compile, type Compiled } from '../../src/compile.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { staticFiles } from '../../src/io/static-files.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Layer } from '../../src/model/layer.ts'
import type { RenderedFile } from '../../src/model/plan.ts'
import { recordReads } from './recording.ts'
import { renderFiles } from '../../src/render/render.ts'
import { loadTemplate, type LoadTemplate } from '../../src/render/templates.ts'
import type { Versions } from '../judge/judge.ts'
import { root } from './run.ts'

/** The day as of which tests check profiles. */
export const today = '2026-11-20'

export const readStatic = staticFiles(root)

const withEndpoint: JsonObject = {
  join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
}

/** Values for the fields that a built-in profile requires from its user. */
const requiredFields: Readonly<Record<string, JsonObject>> = {
  'ws2022-antrea': withEndpoint,
  'ws2022-calico': withEndpoint,
  'ws2022-calico-bgp': withEndpoint,
  'ws2022-calico-routed': withEndpoint,
  'ws2022-eks': { network: { eks: { clusterName: 'prod' } } },
}

export const requiredFieldsOf = (profile: string): JsonObject => requiredFields[profile] ?? {}

/** Compiles a built-in profile, or one in a file, with layers over it. */
export function compileBuiltin(profile: string, ...over: readonly JsonObject[]): Compiled {
  const { layers, name } = loadProfile({ profile, root, cwd: root })
  return compile([...layers, ...over.map(layerOf)], name, { today })
}

export function layerOf(patch: JsonObject): Layer {
  return { name: 'test', patch, place: () => undefined }
}

/** Ids of the errors. */
export function errorsOf({ findings }: Checked): readonly string[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ id }) => id)
}

export function versionsOf({ facts }: Checked): Versions {
  const { kubernetes, containerd } = facts.spec
  return {
    kubelet: kubernetes.version,
    kubeProxy: kubernetes.kubeProxy,
    kubeadm: kubernetes.kubeadm,
    containerd: containerd.version,
  }
}

/** Throws if the profile has errors. */
export async function renderCompiled(
  compiled: Compiled,
  load: LoadTemplate = loadTemplate,
): Promise<readonly RenderedFile[]> {
  if (!compiled.plan) throw new Error(`refused: ${errorsOf(compiled).join(', ')}`)
  return renderFiles(compiled.plan, readStatic, load)
}

export function textsOf(files: readonly RenderedFile[]): ReadonlyMap<string, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return new Map(files.map(({ path: name, content }) => [name, decoder.decode(content)]))
}

/** A template loader that records which keys of the views no render has read. */
export function recordingLoader(): {
  readonly load: LoadTemplate
  readonly used: () => readonly string[]
  readonly unread: () => readonly string[]
} {
  const unread = new Map<string, Set<string>>()
  return {
    load: async (name) => {
      const template = await loadTemplate(name)
      return (view) => {
        const recording = recordReads(view)
        const text = template(recording.view)
        const now = new Set(recording.unread())
        const before = unread.get(name)
        unread.set(name, before ? new Set([...before].filter((key) => now.has(key))) : now)
        return text
      }
    },
    used: () => [...unread.keys()].sort(),
    unread: () => [...unread].flatMap(([name, keys]) => [...keys].map((key) => `${name}: ${key}`)),
  }
}
