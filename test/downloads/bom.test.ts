// winnode bom: SPDX and CycloneDX, against their published schemas.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Ajv, type AnySchema } from 'ajv'
import formats from 'ajv-formats'
import licenses from 'spdx-license-list'
import t, { type Test } from 'tap'
import { artifactSources } from '../../src/matrix/artifact-sources.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { compileBuiltin } from '../tools/bundle.ts'
import { inProcess } from '../tools/run.ts'

const require = createRequire(import.meta.url)
const library = path.dirname(require.resolve('@cyclonedx/cyclonedx-library/package.json'))
const schemaAt = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as AnySchema
const cyclonedxSchema = (name: string) =>
  schemaAt(path.join(library, `res/schema/${name}.SNAPSHOT.schema.json`))

function validator(schema: AnySchema, others: readonly string[] = []) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addFormat('iri-reference', true)
  ajv.addFormat('idn-email', true)
  for (const name of others)
    ajv.addSchema(cyclonedxSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const validate = ajv.compile(schema)
  return (t: Test, text: string, what: string) => {
    t.ok(validate(JSON.parse(text)), `${what}: ${ajv.errorsText(validate.errors)}`)
  }
}

/** Every network plugin, a digest of an image, and a program without a published checksum. */
const image = `registry.k8s.io/pause:3.10.1@sha256:${'a'.repeat(64)}`
const profiles: readonly (readonly string[])[] = [
  ['ws2022-flannel-overlay'],
  ['ws2025-flannel-overlay', '--set', `sandboxImage=${image}`],
  ['ws2022-win-bridge'],
  [
    'ws2022-calico',
    ...['--set', 'join.endpoint=api.example.com:6443'],
    ...['--set', `join.caCertHashes=["sha256:${'a'.repeat(64)}"]`],
  ],
]

const bom = async (t: Test, format: string, argv: readonly string[]) => {
  const { code, stdout, stderr } = await inProcess(['bom', ...argv, '--format', format])
  t.equal(code, 0, stderr)
  return stdout
}

t.test('CycloneDX', async (t) => {
  const valid = validator(cyclonedxSchema('bom-1.6'), ['spdx', 'jsf-0.82'])
  for (const argv of profiles) {
    const text = await bom(t, 'cyclonedx', argv)
    valid(t, text, argv.join(' '))
    t.equal(await bom(t, 'cyclonedx', argv), text, 'the same bytes')
  }
  const pinned = await bom(t, 'cyclonedx', profiles[1] ?? [])
  t.match(
    pinned,
    `"pkg:oci/pause@sha256%3A${'a'.repeat(64)}?repository_url=registry.k8s.io%2Fpause&tag=3.10.1"`,
  )
  t.match(pinned, '"name": "Public domain"')
  t.notMatch(await bom(t, 'cyclonedx', profiles[0] ?? []), 'pkg:oci')
})

interface Spdx {
  readonly creationInfo: { readonly created: string }
  readonly documentNamespace: string
  readonly packages: readonly { readonly SPDXID: string; readonly licenseDeclared?: string }[]
  readonly files: readonly { readonly SPDXID: string }[]
  readonly hasExtractedLicensingInfos?: readonly { readonly licenseId: string }[]
  readonly relationships: readonly Readonly<Record<string, string>>[]
}

// No package of npm contains the schema: schemas/spdx-schema.json of https://github.com/spdx/spdx-spec, tag v2.3.
const spdxSchema = process.env['SPDX_SCHEMA'] ?? ''

t.test('SPDX', async (t) => {
  for (const argv of profiles) {
    const text = await bom(t, 'spdx', argv)
    const document = JSON.parse(text) as Spdx
    const elements = [...document.packages, ...document.files].map(({ SPDXID }) => SPDXID)
    t.equal(new Set(elements).size, elements.length, 'each ID once')
    for (const id of elements) t.match(id, /^SPDXRef-[A-Za-z0-9.-]+$/)
    const named = document.relationships.flatMap(({ spdxElementId, relatedSpdxElement }) => [
      spdxElementId,
      relatedSpdxElement,
    ])
    t.strictSame(
      [...new Set(named)].sort(),
      ['SPDXRef-DOCUMENT', ...elements].sort(),
      'each element has a relationship',
    )
    const own = document.hasExtractedLicensingInfos?.map(({ licenseId }) => licenseId) ?? []
    for (const { licenseDeclared: licence } of document.packages)
      t.ok(licence === undefined || licence in licenses || own.includes(licence), licence ?? '')
    t.equal(document.creationInfo.created, `${tablesDate}T00:00:00Z`, 'no clock')
    t.equal(await bom(t, 'spdx', argv), text, 'the same bytes')
  }
  const dated = await bom(t, 'spdx', ['ws2022-flannel-overlay', '--as-of', '2026-11-20'])
  t.match(dated, '"created": "2026-11-20T00:00:00Z"')
})

t.test(
  'SPDX, by its schema',
  { skip: existsSync(spdxSchema) ? false : 'no schema of SPDX 2.3: name it in SPDX_SCHEMA' },
  async (t) => {
    const valid = validator(schemaAt(spdxSchema))
    for (const argv of profiles) valid(t, await bom(t, 'spdx', argv), argv.join(' '))
  },
)

t.test('images have the digests of the lock', async (t) => {
  const base = 'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0'
  const [web, job] = ['registry.example.com/web:1.4.2', 'registry.example.com/winnode:0.1.0']
  const sets = [
    `cluster={imagePull: {images: ["${web}"]}, drift: {image: "${job}"}}`,
    `artifacts.lock={"${base}": ${'a'.repeat(64)}, "${web}": ${'b'.repeat(64)}, "${job}": ${'c'.repeat(64)}}`,
  ]
  const argv = ['ws2022-none', ...sets.flatMap((one) => ['--set', one])]
  const text = await bom(t, 'cyclonedx', argv)
  t.match(text, `"pkg:oci/windows-host-process-containers-base-image@sha256%3A${'a'.repeat(64)}?`)
  t.match(text, `"pkg:oci/web@sha256%3A${'b'.repeat(64)}?`)
  t.match(text, `"pkg:oci/winnode@sha256%3A${'c'.repeat(64)}?`)
})

t.test('a step or a file of the bundle needs each component', async (t) => {
  const { plan, findings } = compileBuiltin('ws2022-flannel-overlay', {
    cluster: {
      smbCsi: { enabled: true },
      windowsExporter: { enabled: true },
      fluentBit: { enabled: true, outputSecretName: 'logs' },
      csrApprover: { enabled: true, nodeCIDRs: ['10.0.0.0/24'] },
      imagePull: { images: ['registry.example.com/web:1.4.2'] },
      drift: { image: 'registry.example.com/winnode:0.1.0' },
    },
  })
  if (!plan) throw new Error(findings.map(({ message }) => message).join('\n'))
  const ids = new Set([...plan.steps, ...plan.files].map(({ id }) => id))
  t.ok(plan.bill.length > 15)
  for (const { id, neededBy } of plan.bill)
    t.strictSame(
      neededBy.filter((one) => !ids.has(one)),
      [],
      id,
    )
})

t.test('licences of the tables', async (t) => {
  for (const { id, licence } of artifactSources)
    t.ok(licence in licenses || licence === 'LicenseRef-public-domain', `${id}: ${licence}`)
})

t.test('table, json, and profiles without a bundle', async (t) => {
  const table = await bom(t, 'table', ['ws2022-flannel-overlay'])
  t.match(table, /^COMPONENT +VERSION +LICENSE +CHECKSUM +FROM\ncontainerd +\S+ +Apache-2\.0 +pub/)
  const out = path.join(t.testdir({}), 'out')
  await inProcess(['render', 'ws2022-flannel-overlay', '--out', out])
  t.equal(
    await bom(t, 'json', ['ws2022-flannel-overlay']),
    readFileSync(path.join(out, 'bom.json'), 'utf8'),
    'bom.json of the bundle',
  )
  const whole = await inProcess(['bom', 'ws2022-flannel-overlay', '--json'])
  t.match(JSON.parse(whole.stdout), { ok: true, bom: { kind: 'BillOfMaterials' } })
  t.match(await inProcess(['bom', 'ws2022-flannel-overlay', '--set', 'kubelet.maxPods=0']), {
    code: 3,
    stdout: '',
    stderr: /ws2022-flannel-overlay: no bill of materials\n$/,
  })
  t.match(await inProcess(['bom', 'nowhere.yaml']), { code: 2 })
})

t.test('of a profile without a bundle, only what rejects it is printed', async (t) => {
  const wrong = ['ws2022-flannel-overlay', '--set', 'host.features=[]', '--verbose']
  t.match((await inProcess(['validate', ...wrong])).stdout, /^note\[/m, 'it has notes, too')
  const { stderr } = await inProcess(['bom', ...wrong])
  const said = stderr.match(/^(?:error|warning|note)\[.*?\]/gm)
  t.strictSame(said, ['error[containers-feature-missing]'])
})
