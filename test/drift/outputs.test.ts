// winnode drift of folders of targets: all of their files are compared, and not only the bundle.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { inProcess } from '../tools/run.ts'
import { scratch } from './asking.ts'

const folder = mkdtempSync(path.join(scratch, 'outputs-'))
const profile = path.join(folder, 'web.yaml')
writeFileSync(
  profile,
  `apiVersion: winnode/v1
kind: NodeProfile
extends: ws2022-flannel-overlay
name: web
kubernetes:
  version: 1.36.0
targets:
  packer:
    builder: azure-arm
`,
)

interface Told {
  readonly id: string
  readonly message: string
  readonly subject: string
  readonly owner: string
  readonly need: string
}

async function drift(out: string, ...flags: readonly string[]) {
  const { code, stdout } = await inProcess(['drift', profile, out, '--json', ...flags])
  const { drift: all } = JSON.parse(stdout) as { readonly drift: readonly Told[] }
  return { code, all, subjects: all.map(({ id, subject }) => `${id} ${subject}`) }
}

async function rendered(targets: string): Promise<string> {
  const out = path.join(folder, targets)
  const { code, stderr } = await inProcess(['render', profile, '--for', targets, '--out', out])
  if (code !== 0) throw new Error(stderr)
  return out
}

let copies = 0
function copyOf(out: string): string {
  const copy = path.join(folder, `copy-${(copies += 1)}`)
  cpSync(out, copy, { recursive: true })
  return copy
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} lacks ${from}`)
  writeFileSync(file, text.replace(from, to))
}

t.test('a folder of one target', async (t) => {
  const out = await rendered('packer')
  t.strictSame(await drift(out), { code: 0, all: [], subjects: [] }, 'as written')

  const edited = copyOf(out)
  edit(path.join(edited, 'source.pkr.hcl'), 'azure-arm', 'azure-other')
  t.match(
    await drift(edited),
    { code: 4, all: [{ subject: 'source.pkr.hcl', owner: 'theirs', need: 'nothing' }] },
    'edited',
  )

  const missing = copyOf(out)
  rmSync(path.join(missing, 'source.pkr.hcl'))
  const lost = await drift(missing)
  t.strictSame(lost.subjects, ['file-missing source.pkr.hcl'], 'missing')
  t.equal(lost.code, 4)

  const unlisted = copyOf(out)
  rmSync(path.join(unlisted, 'winnode.json'))
  rmSync(path.join(unlisted, 'source.pkr.hcl'))
  const { code, stderr } = await inProcess(['drift', profile, unlisted])
  t.equal(code, 2, 'not "no drift" of its bundle alone')
  t.match(stderr, 'a bundle, but no winnode.json')
  t.equal((await drift(path.join(unlisted, 'bundle'))).code, 0)

  const outdated = await drift(out, '--set', 'targets.packer.builder=amazon-ebs')
  t.equal(outdated.code, 4)
  t.ok(outdated.subjects.includes('file-outdated source.pkr.hcl'), 'outdated')

  const within = copyOf(out)
  edit(path.join(within, 'bundle/files/kubelet/config.json'), '"maxPods": 110', '"maxPods": 60')
  t.strictSame(
    (await drift(within)).subjects,
    ['field-edited files/kubelet/config.json#maxPods'],
    'in the bundle: the subject is that of a bundle alone',
  )

  const without = copyOf(out)
  rmSync(path.join(without, 'bundle'), { recursive: true })
  t.strictSame((await drift(without)).subjects, ['file-missing node.json'], 'without its bundle')
})

t.test('a folder of several targets', async (t) => {
  const out = await rendered('plain,packer,zip')
  t.strictSame(await drift(out), { code: 0, all: [], subjects: [] }, 'as written')
  const edited = copyOf(out)
  const archive = path.join(edited, 'zip/web.zip')
  const bytes = readFileSync(archive)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff
  writeFileSync(archive, bytes)
  edit(path.join(edited, 'plain/files/kubelet/config.json'), '"maxPods": 110', '"maxPods": 60')
  t.strictSame((await drift(edited)).subjects.toSorted(), [
    'field-edited files/kubelet/config.json#maxPods',
    'file-edited zip/web.zip',
  ])
})

t.test('the manifest of a folder', async (t) => {
  const out = await rendered('packer')
  const edited = copyOf(out)
  edit(path.join(edited, 'winnode.json'), '"name": "web"', '"name":  "web"')
  t.strictSame((await drift(edited)).subjects, ['file-edited winnode.json'], 'edited')

  const other = copyOf(out)
  edit(path.join(other, 'winnode.json'), '"packer"', '"floppy"')
  t.match(await drift(other), { code: 6, all: [{ id: 'evidence-unreadable' }] }, 'no known target')
  edit(path.join(other, 'winnode.json'), '"floppy"', '"packer", "floppy"')
  t.match(await drift(other), {
    code: 6,
    all: [{ id: 'evidence-unreadable', message: 'unknown target floppy' }],
  })

  const broken = copyOf(out)
  writeFileSync(path.join(broken, 'winnode.json'), '{')
  t.equal((await drift(broken)).code, 6, 'no manifest')

  const closed = copyOf(out)
  rmSync(path.join(closed, 'winnode.json'))
  mkdirSync(path.join(closed, 'winnode.json'))
  t.match(
    await drift(closed),
    { code: 6, all: [{ message: /winnode\.json could not be read: it is a folder$/ }] },
    'a manifest that cannot be read says why',
  )

  const unfit = await drift(out, '--set', 'targets.packer.builder=other')
  t.equal(unfit.code, 6, 'a profile that the target rejects')
})

t.test('folders of several profiles', async (t) => {
  const out = await rendered('packer')
  const base = mkdtempSync(path.join(folder, 'several-'))
  cpSync(out, path.join(base, 'web'), { recursive: true })
  edit(path.join(base, 'web/source.pkr.hcl'), 'azure-arm', 'azure-other')
  const other = path.join(folder, 'other.yaml')
  writeFileSync(other, readFileSync(profile, 'utf8').replace('name: web', 'name: other'))
  await inProcess(['render', other, '--for', 'packer', '--out', path.join(base, 'other')])
  const argv = ['drift', '--profile', profile, '--profile', other, base, '--format', 'lines']
  const { code, stdout } = await inProcess(argv)
  t.equal(code, 4)
  t.match(stdout, /web\/source\.pkr\.hcl/)
  t.notMatch(stdout, /other\/source\.pkr\.hcl/)

  edit(path.join(base, 'other/winnode.json'), '"name": "other"', '"name": 7')
  const nameless = await inProcess(argv)
  t.equal(nameless.code, 4)
  t.match(
    nameless.stdout,
    /other was not compared: its name is unknown, and no profile of this run has that name/,
  )
  t.match(nameless.stdout, /no bundle and no node named other in the evidence/)

  rmSync(path.join(base, 'other/winnode.json'))
  mkdirSync(path.join(base, 'other/winnode.json'))
  const unread = await inProcess(argv)
  t.match(unread.stdout, /other\/winnode\.json could not be read: it is a folder/)
  t.notMatch(unread.stdout, 'its name is unknown')
})

t.test('a profile that cannot be rendered for the targets of a folder', async (t) => {
  const out = await rendered('packer')
  const other = await drift(out, '--set', 'targets.packer.omit=[none]')
  t.equal(other.code, 6)
  t.match(other.all, [
    {
      id: 'evidence-unreadable',
      message: /winnode\.json was not compared: the profile does not fit its targets: omit has no/,
      remedy: 'Compare it with the profile that it was rendered from, or correct the profile.',
    },
  ])
})
