// cluster/kustomization.yaml: the kustomize of kubectl reads each manifest of cluster/, and nothing else.
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import type { JsonObject } from '../../src/model/json.ts'
import { compileBuiltin, renderCompiled, textsOf } from '../tools/bundle.ts'

const withoutKubectl =
  spawnSync('kubectl', ['version', '--client']).status !== 0 &&
  'kubectl is not on PATH: no kustomization was built'

const flannel = textsOf(
  await renderCompiled(
    compileBuiltin('ws2022-flannel-overlay', {
      cluster: { policies: { nodeSelector: true }, windowsExporter: { enabled: true } },
    }),
  ),
)
const calico = textsOf(
  await renderCompiled(
    compileBuiltin('ws2022-calico', {
      join: { endpoint: '10.0.0.10:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
    }),
  ),
)

const manifests = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([at, text]) =>
    /^cluster\/\d\d-[\w-]+\.yaml$/.test(at) ? [[at.slice('cluster/'.length), text] as const] : [],
  )
const named = (text: string) =>
  parseAllDocuments(text).map((document) => {
    const { kind, metadata } = document.toJS() as { kind: string; metadata: { name: string } }
    return `${kind} ${metadata.name}`
  })

for (const [name, files] of Object.entries({ flannel, calico })) {
  const text = files.get('cluster/kustomization.yaml') ?? ''
  t.test(`${name}: lists the manifests in their order, and no patch`, async (t) => {
    const { resources } = parse(text) as JsonObject
    t.strictSame(
      resources,
      manifests(files)
        .map(([file]) => file)
        .toSorted(),
    )
  })

  t.test(`${name}: kubectl kustomize prints each object`, { skip: withoutKubectl }, async (t) => {
    const folder = t.testdir({
      ...Object.fromEntries(manifests(files)),
      'kustomization.yaml': text,
    })
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
      encoding: 'utf8',
    })
    t.equal(status, 0, stderr)
    t.strictSame(
      named(stdout).toSorted(),
      manifests(files)
        .flatMap(([, manifest]) => named(manifest))
        .toSorted(),
    )
  })
}
