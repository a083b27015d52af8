// winnode lock: checksums of publishers, of a folder, and the commands that use winnode.lock.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { limits } from '../../src/io/published.ts'
import { newestMinor } from '../tools/minors.ts'
import { inProcess } from '../tools/run.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Answers in place of the publisher. */
type Answer = (url: string, response: ServerResponse) => void

/** As publishers do: a bare digest, a line with the name, or a list of several. */
const right: Answer = (url, response) => {
  const file = url.replace(/\.sha256(sum)?$/, '')
  const name = path.basename(file)
  if (/dl\.k8s\.io|cri-tools/.test(url)) response.end(hash(file))
  else if (url.includes('containerd/containerd')) response.end(`${hash(file)}  ${name}\n`)
  else response.end(`${hash('other')}  other.tgz\n${hash(file)} *${name}\r\n`)
}

/** Requests to https go to a server of this process, by host and path; `asked` has the URLs. */
async function publishers(t: Test, answer: Answer) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = `https:/${request.url ?? ''}`
    asked.push(url)
    answer(url, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  const value: typeof fetch = (url, init) =>
    fetch((url as URL).href.replace(/^https:\//, `http://127.0.0.1:${port}`), init)
  t.intercept(globalThis, 'fetch', { value })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return asked
}

const head = 'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\n'

const folderOf = (t: Test, files: Readonly<Record<string, string>> = {}) => {
  const folder = t.testdir({ '.winnode-root': '', 'node.yaml': head, ...files })
  const at = (name: string) => path.join(folder, name)
  const lock = (...argv: readonly string[]) => inProcess(['lock', at('node.yaml'), ...argv])
  const text = () => readFileSync(at('winnode.lock'), 'utf8')
  return { folder, at, lock, text }
}

const json = ({ stdout }: { readonly stdout: string }) =>
  JSON.parse(stdout) as Readonly<Record<string, never>>

const kubelet = (minor: string) =>
  new RegExp(`"(https://dl.k8s.io/release/v${minor}[^"]*/kubelet.exe)": "([0-9a-f]{64})"`)

t.test('checksums of the publishers', async (t) => {
  const asked = await publishers(t, right)
  const { at, lock, text } = folderOf(t)
  t.match(await lock('--check'), { code: 4, stdout: /^RESULT +FILE\n(missing +https:\S+\n){11}$/ })
  t.match(await lock(), {
    code: 0,
    stdout: '',
    stderr: /^wrote \S+winnode.lock: 11 pinned\nnot pinned: registry.k8s.io\/pause:\S+\n$/,
  })
  const [, url = '', sha256] = kubelet('1').exec(text()) ?? []
  t.equal(sha256, hash(url))
  t.ok(asked.every((one) => /\.sha256(sum)?$/.test(one)))
  t.match(await lock('--check'), { code: 0, stdout: '' })

  const [before, count] = [text(), asked.length]
  t.match(await lock(), { code: 0, stderr: /11 pinned, unchanged\n/ })
  t.equal(text(), before)
  t.equal(asked.length, count, 'what is pinned is not requested again')

  const validated = await inProcess(['validate', at('node.yaml'), '--json'])
  t.notMatch(validated.stdout, 'download-digest-from-publisher')
  await inProcess(['render', at('node.yaml'), '--out', at('out')])
  t.match(readFileSync(at('out/bom.json'), 'utf8'), `sha256:${sha256}`)
  t.notMatch(readFileSync(at('out/node.json'), 'utf8'), '.exe.sha256')
  const mirror = await inProcess(['mirror', at('node.yaml'), '--format', 'sha256sum'])
  t.match(mirror.stdout, `${sha256}  ${url.replace('https://', '')}\n`)
  t.equal(mirror.stdout.split('\n').length, 12)

  writeFileSync(at('node.yaml'), `${head}kubernetes:\n  version: '1.36'\n`)
  t.match(await lock('--check'), {
    code: 4,
    stdout: /\nmissing +\S+v1\.36\.\S+kubelet.exe\n[^]*\nextra +\S+v1\.\d+\.\S+kubelet.exe\n/,
  })
  await lock()
  t.match(text(), kubelet('1.36'))
  t.notMatch(text(), kubelet(newestMinor))
})

t.test('a folder of profiles has one lock', async (t) => {
  await publishers(t, right)
  const other = `${head}kubernetes:\n  version: '1.36'\n`
  const layer = `apiVersion: winnode/v1\nkind: NodeProfile\nkubernetes:\n  version: '1.35'\n`
  const { folder, at, lock, text } = folderOf(t, { 'other.yaml': other, 'x.layer.yaml': layer })
  mkdirSync(at('below'))
  writeFileSync(at('below/deep.yaml'), head)
  t.match(await lock(), { code: 0 })
  for (const minor of ['1.36', newestMinor]) t.match(text(), kubelet(minor), minor)
  t.match(await lock('--layer', at('x.layer.yaml')), { code: 0 })
  for (const minor of ['1.35', '1.36', newestMinor]) t.match(text(), kubelet(minor), minor)
  t.match(await lock('--layer', at('x.layer.yaml'), '--check'), { code: 0 })
  t.match(await lock('--check'), { code: 4, stdout: /\nextra +\S+v1\.35/ })
  const { stderr } = await inProcess(['lock', folder])
  for (const name of ['below/winnode.lock', 'winnode.lock']) t.match(stderr, `wrote ${at(name)}: `)
  t.notMatch(text(), kubelet('1.35'))
  t.match(await inProcess(['lock', folder, '--check']), { code: 0 })
})

t.test('nothing is pinned that no node of the folder downloads', async (t) => {
  await publishers(t, right)
  const of = (minor: string) => `${head}kubernetes:\n  version: '${minor}'\n`
  const { folder, at, lock, text } = folderOf(t, { 'site.yaml': of('1.35') })
  mkdirSync(at('pools'))
  writeFileSync(at('pools/web.yaml'), of('1.36').replace('ws2022-flannel-overlay', '../site.yaml'))
  t.match(await lock(), { code: 0 })
  t.notMatch(text(), kubelet('1.35'), 'only profiles of a subfolder extend it')
  mkdirSync(at('other'))
  for (const name of ['other/part.yaml', 'pools/z.yaml'])
    writeFileSync(at(name), of(name === 'pools/z.yaml' ? newestMinor : '1.34'))
  const above = head.replace('ws2022-flannel-overlay', './other/part.yaml')
  writeFileSync(at('above.yaml'), above)
  writeFileSync(at('other/own.yaml'), of('1.36'))
  symlinkSync('pools/z.yaml', at('z.yaml'))
  t.match(await inProcess(['lock', at('other/own.yaml')]), { code: 0 })
  const own = readFileSync(at('other/winnode.lock'), 'utf8')
  t.notMatch(own, kubelet('1.34'), 'only a profile of the folder above extends it')
  t.match(await inProcess(['lock', at('other'), '--check']), { code: 0 }, 'nor for the folder')
  rmSync(at('node.yaml'))
  t.match(await inProcess(['lock', at('above.yaml')]), { code: 0 })
  t.match(text(), kubelet(newestMinor), 'a link to a profile of a subfolder')
  mkdirSync(at('ws2022-none'))
  for (const minor of ['1.35', '1.36']) writeFileSync(at(`ws2022-none/${minor}.yaml`), of(minor))
  const cwd = process.cwd()
  process.chdir(folder)
  t.teardown(() => {
    process.chdir(cwd)
  })
  t.match(await inProcess(['lock', 'ws2022-none/1.36.yaml']), { code: 0 })
  const named = readFileSync(at('ws2022-none/winnode.lock'), 'utf8')
  for (const minor of ['1.35', '1.36']) t.match(named, kubelet(minor))
  t.notMatch(named, kubelet(newestMinor), 'the folder has the name of a built-in profile')
})

const wrong: readonly (readonly [what: string, answer: Answer, says: RegExp])[] = [
  [
    'truncated',
    (_, response) => {
      response.writeHead(200, { 'content-length': '64' })
      response.write('ab'.repeat(16))
      setImmediate(() => response.destroy())
    },
    /: other side closed|: terminated|: aborted/,
  ],
  ['a digest that is cut off', (_, response) => response.end('ab'.repeat(31)), /: no SHA-256 of /],
  [
    'another file',
    (_, response) => response.end(`${'ab'.repeat(32)}  other.exe\n`),
    /: no SHA-256 of kubelet\.exe$/m,
  ],
  [
    'too large',
    (_, response) => response.end('a'.repeat(limits.bytes + 1)),
    /: more than 1048576 bytes/,
  ],
  ['a page', (_, response) => response.end('<!doctype html>'), /: HTML in place of a checksum/],
  ['empty', (_, response) => response.end(), /: no SHA-256 of /],
  [
    'missing',
    (_, response) => response.writeHead(404).end('Not Found'),
    /: HTTP status 404 \(not found\)/,
  ],
  [
    'too many requests',
    (_, response) => response.writeHead(429, { 'retry-after': '60' }).end(),
    /: HTTP status 429 \(too many requests\): run it again later/,
  ],
  ['an error', (_, response) => response.writeHead(503).end(), /: HTTP status 503/],
  [
    'to http',
    (url, response) => response.writeHead(302, { location: url.replace('https:', 'http:') }).end(),
    /: redirected to http:\S+, not https/,
  ],
  [
    'to a file',
    (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    /: redirected to file:\S+, not https/,
  ],
  [
    'in a circle',
    (url, response) => response.writeHead(302, { location: url }).end(),
    /: more than 5 redirects/,
  ],
  ['a redirect to nowhere', (_, response) => response.writeHead(302).end(), /: HTTP status 302/],
]

for (const [what, answer, says] of wrong)
  t.test(`wrong answers: ${what}`, async (t) => {
    await publishers(t, (url, response) =>
      (url.endsWith('/kubelet.exe.sha256') ? answer : right)(url, response),
    )
    const { at, lock, text } = folderOf(t)
    const { code, stdout, stderr } = await lock()
    t.strictSame([code, stdout], [6, ''])
    t.match(stderr, /^https:\S+kubelet\.exe\.sha256: [^\n]+\n\S+winnode.lock: nothing written\n/)
    t.match(stderr, says)
    t.throws(text)
    t.match(json(await lock('--json')), { ok: false, exit: 6, problems: [{ why: String }] })
    t.throws(() => readFileSync(at('winnode.lock')))
  })

t.test('a server that does not answer', async (t) => {
  await publishers(t, () => undefined)
  t.intercept(limits, 'milliseconds', { value: 50 })
  const { lock } = folderOf(t)
  t.match(await lock(), { code: 6, stderr: /: no complete answer in 0\.05 s\n/ })
})

t.test('as many redirects over https as the limit', async (t) => {
  await publishers(t, (url, response) => {
    const [file = '', hop = '1'] = url.split('?')
    const isLast = Number(hop) === limits.redirects
    if (!file.startsWith('https://github.com/')) right(file.replace('/x/', '/'), response)
    else
      response
        .writeHead(302, {
          location: isLast
            ? file.replace('github.com', 'assets.example.com/github.com')
            : `${file}?${Number(hop) + 1}`,
        })
        .end()
  })
  const { lock } = folderOf(t)
  t.match(await lock(), { code: 0 })
})

t.test('a folder of files', async (t) => {
  const asked = await publishers(t, right)
  // A version of flanneld without a known checksum: only its file gives one.
  const old = `${head}network:\n  flannel:\n    version: 0.28.2\n`
  const { at, lock, text } = folderOf(t, { 'node.yaml': old })
  const listed = await inProcess(['mirror', at('node.yaml'), '--json'])
  t.equal(listed.code, 3)
  t.match(await lock(), { code: 6, stderr: /\/flanneld\.exe: the publisher has no checksum: use / })
  asked.length = 0
  mkdirSync(at('m'))
  const empty = await lock('--from', at('m'), '--json')
  const { problems } = json(empty) as unknown as { problems: readonly { readonly what: string }[] }
  t.equal(problems.length, 11)
  // Those with a known checksum are pinned in the profile here, as the real files are not at hand.
  const files = problems.map(({ what }) => what)
  for (const file of files) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, path.basename(file))
  }
  t.match(await lock('--from', at('m')), {
    code: 6,
    stderr: /nssm-[^\n]*: SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}\n/,
  })
  const pins = ['nssm', 'cni-plugins'].map((id) => {
    const file = files.find((one) => path.basename(one).startsWith(id)) ?? ''
    return `    ${id}: ${hash(path.basename(file))}\n`
  })
  writeFileSync(at('node.yaml'), `${old}artifacts:\n  sha256:\n${pins.join('')}`)
  const pause = /not pinned: (\S+)/.exec((await lock('--check')).stderr)?.[1] ?? ''
  const kubeletFile = files.find((one) => path.basename(one) === 'kubelet.exe') ?? ''
  writeFileSync(`${kubeletFile}.sha256`, '<html>Not Found</html>')
  t.match(await lock('--from', at('m')), {
    code: 6,
    stderr: /\/kubelet\.exe: HTML in place of a checksum\n/,
  })
  rmSync(`${kubeletFile}.sha256`)
  t.match(await lock('--from', at('m')), {
    code: 6,
    stderr: /\/kubelet\.exe: no checksum in the mirror\n/,
  })
  for (const file of files) {
    const sum = hash(path.basename(file))
    writeFileSync(`${file}.sha256sum`, `${sum}  ${path.basename(file)}\n`)
    const isBare = /\/crictl-|\.exe$/.test(file)
    writeFileSync(`${file}.sha256`, isBare ? `${sum}\n` : `${sum}  ${path.basename(file)}\n`)
  }
  const flanneld = files.find((one) => path.basename(one) === 'flanneld.exe') ?? ''
  rmSync(flanneld)
  mkdirSync(flanneld)
  t.match(await lock('--from', at('m')), {
    code: 6,
    stderr: /\/flanneld\.exe: it is a (?:folder|directory)/,
  })
  rmSync(flanneld, { recursive: true })
  writeFileSync(flanneld, 'flanneld.exe')
  writeFileSync(at('m/images.txt'), `example.com/other:1@sha256:${'0'.repeat(64)}\n${pause}\n`)
  t.match(await lock('--from', at('m')), { code: 0, stderr: `\nnot pinned: ${pause}\n` })
  writeFileSync(at('m/images.txt'), `${pause}@sha256:${'5'.repeat(64)}\n`)
  t.match(await lock('--from', at('m')), {
    code: 0,
    stderr: /^wrote \S+winnode.lock: 12 pinned\n$/,
  })
  t.match(text(), `"${pause}": "${'5'.repeat(64)}"\n`)
  t.match(text(), `/v0.28.2/flanneld.exe": "${hash('flanneld.exe')}"\n`)
  t.match(await lock('--check'), { code: 0 })

  await inProcess(['render', at('node.yaml'), '--out', at('out')])
  t.match(
    readFileSync(at('out/files/containerd/config.toml'), 'utf8'),
    `"${pause.replace(/:[^:]+$/, '')}@sha256:${'5'.repeat(64)}"`,
  )
  t.match(await inProcess(['validate', at('node.yaml')]), { code: 0 })
  t.strictSame(asked, [], 'no request with --from')
  rmSync(at('winnode.lock'))
  t.match(await inProcess(['validate', at('node.yaml')]), {
    code: 3,
    stdout: /download-without-digest/,
  })
})

t.test('the lock, the profile and the tables agree', async (t) => {
  await publishers(t, right)
  const { at, lock, text } = folderOf(t)
  await lock()
  const validate = () => inProcess(['validate', at('node.yaml'), '--format', 'lines'])
  const pinned = `${head}artifacts:\n  sha256:\n    kubelet: ${'c'.repeat(64)}\n`
  writeFileSync(at('node.yaml'), pinned)
  const differs = await validate()
  t.equal(differs.code, 3)
  t.match(differs.stdout, /node\.yaml:6:\d+: error[^\n]*kubelet/)
  t.match(differs.stdout, /winnode\.lock:\d+:\d+: error[^\n]*kubelet/)
  t.match(await lock(), { code: 3, stderr: /lock-contradicts-checksum/ })

  writeFileSync(at('node.yaml'), head)
  const good = text()
  writeFileSync(at('winnode.lock'), good.replace(/(nssm[^"]*": )"[0-9a-f]{4}/, '$1"0000'))
  t.match(await validate(), { code: 3, stdout: /winnode\.lock[^\n]*nssm[^\n]*tables of winnode/ })
  writeFileSync(at('winnode.lock'), `${good}kubelet:\n  maxPods: 3\n`)
  t.match(await validate(), { code: 3, stdout: /winnode\.lock:\S+ error[^\n]*sets kubelet/ })
  writeFileSync(at('winnode.lock'), '<<<<<<< HEAD\n')
  t.match(await validate(), { code: 3, stdout: /winnode\.lock:1/ })
  writeFileSync(at('winnode.lock'), good.replace(/"[0-9a-f]{64}"/, '"cut"'))
  t.match(await validate(), { code: 3, stdout: /winnode\.lock:6:[^\n]*sha256 digest/ })
})

t.test('what has no folder', async (t) => {
  t.match(await inProcess(['lock', 'ws2022-antrea']), {
    code: 2,
    stderr: /winnode\.lock is beside one/,
  })
  t.match(await inProcess(['lock', '-']), { code: 2, stderr: /has no folder for winnode\.lock/ })
  t.match(await inProcess(['lock']), { code: 2, stderr: /missing profile/ })
  const { at, lock } = folderOf(t)
  t.match(await lock('--from', at('no')), { code: 2, stderr: /no such directory/ })
  writeFileSync(at('node.yaml'), `${head}kubelet:\n  maxPod: 3\n`)
  t.match(await lock(), { code: 3, stderr: /maxPod/ })
})
