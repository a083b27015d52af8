// winnode mirror: the list of downloads, and the folder that is verified with it.
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { publishedDigest } from '../../src/downloads/mirror.ts'
import { mirrorTexts } from '../../src/present/mirror.ts'
import { plainScreen } from '../../src/present/screen.ts'
import { inProcess } from '../tools/run.ts'

const profile = 'ws2022-antrea'
const digest = 'ab'.repeat(32)

interface Listed {
  readonly path: string
  readonly url: string
  readonly program?: {
    readonly id: string
    readonly checksum: { readonly kind: string; readonly shape?: string }
  }
}

const listOf = async (...argv: readonly string[]) =>
  JSON.parse((await inProcess(['mirror', ...argv, '--json'])).stdout) as {
    readonly files: readonly Listed[]
    readonly images: readonly string[]
  }

t.test('each file of all profiles once, from its publisher', async (t) => {
  const one = await listOf('ws2022-flannel-overlay')
  const other = await listOf(profile)
  const both = await listOf('ws2022-flannel-overlay', profile)
  const urls = ({ files }: typeof one) => files.map(({ url }) => url)
  t.strictSame(urls(both), [...new Set([...urls(one), ...urls(other)])].sort())
  t.match(one.images, [/^registry\.k8s\.io\/pause:/])
  const mirrored = await listOf(
    profile,
    '--set',
    'artifacts.baseURLs.kubernetes=https://m.example.com/k',
  )
  t.strictSame(mirrored, other, 'not from the mirror that it fills')
  for (const { path: file, url } of both.files) t.equal(`https://${file}`, url)
})

t.test('a file that two profiles pin is checked for each of them', async (t) => {
  const pinning = (text: string) => {
    const sha256 = createHash('sha256').update(text).digest('hex')
    return `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nartifacts: {sha256: {kubelet: "${sha256}"}}\n`
  }
  const folder = t.testdir({ 'a.yaml': pinning('a'), 'b.yaml': pinning('b'), mirror: {} })
  const profiles = ['a', 'b'].map((name) => path.join(folder, `${name}.yaml`))
  const { files } = await listOf(...profiles)
  const kubelet = files.find(({ path: file }) => file.endsWith('/kubelet.exe'))?.path ?? ''
  const mirror = path.join(folder, 'mirror')
  mkdirSync(path.dirname(path.join(mirror, kubelet)), { recursive: true })
  for (const text of ['a', 'b']) {
    writeFileSync(path.join(mirror, kubelet), text)
    const { stdout } = await inProcess(['mirror', ...profiles, '--verify', mirror])
    t.match(stdout, /\ndiffers +dl\S+kubelet\.exe /, `${text}: nodes of the other refuse it`)
  }
})

t.test('formats', async (t) => {
  const print = async (format: string) =>
    (await inProcess(['mirror', 'ws2022-flannel-overlay', '--format', format])).stdout
  const { files, images } = await listOf('ws2022-flannel-overlay')
  const curl = await print('curl')
  t.match(
    curl,
    /^create-dirs\nfail\nfail-early\nlocation\nproto = "=https"\nproto-redir = "=https"\n/,
  )
  for (const { path: file, url } of files) t.match(curl, `\nurl = "${url}"\noutput = "${file}"\n`)
  t.match(
    await print('aria2'),
    /\/flanneld\.exe\n {2}out=github\.com\/\S+\n {2}checksum=sha-256=[0-9a-f]{64}\n/,
  )
  t.match(await print('sha256sum'), /^([0-9a-f]{64} {2}\S+\n)+$/)
  t.equal(await print('images'), images.map((image) => `${image}\n`).join(''))
  const { stdout: sync } = await inProcess([
    'mirror',
    ...['ws2022-flannel-overlay', 'ws2022-calico', '--format', 'skopeo'],
    ...['--set', 'sandboxImage=registry.k8s.io/pause:3.10.1'],
  ])
  t.strictSame(parse(sync), {
    'mcr.microsoft.com': {
      images: { 'oss/kubernetes/windows-host-process-containers-base-image': ['v1.0.0'] },
    },
    'registry.k8s.io': { images: { pause: ['3.10.1'] } },
  })
  const list = { files: [], images: [`a.io/x:1@sha256:${'a'.repeat(64)}`, 'a.io/x:2', 'y'] }
  t.strictSame(parse(mirrorTexts.skopeo(list, plainScreen)), {
    'a.io': { images: { x: [`sha256:${'a'.repeat(64)}`, '2'] } },
    'docker.io': { images: { 'library/y': ['latest'] } },
  })
  t.match(
    await print('pretty'),
    /\npublished +dl\.k8s\.io\/\S+\/kubelet\.exe\n +dl\.k8s\.io\/\S+\.sha256\n/,
  )
})

t.test('a folder', async (t) => {
  const folder = t.testdir({})
  const { files } = await listOf(profile)
  const at = (file: string) => path.join(folder, file)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text)
  }
  for (const { path: file, program } of files) {
    if (!program) continue
    put(file, file)
    const checksum = files.find(({ path: other }) => other.startsWith(`${file}.`))
    const name = path.basename(file)
    if (checksum)
      put(
        checksum.path,
        program.checksum.shape === 'bare' ? sha256(file) : `${sha256(file)}  ${name}\n`,
      )
  }
  const verify = (...argv: readonly string[]) =>
    inProcess(['mirror', profile, '--verify', folder, ...argv])
  t.match(await verify(), { code: 0, stdout: '', stderr: /^6 of 6 files are verified\n$/ })

  const kubelet = files.find(({ path: file }) => file.endsWith('/kubelet.exe'))?.path ?? ''
  put(kubelet, 'another')
  t.match(await verify(), {
    code: 4,
    stdout:
      /^RESULT[^\n]*\ndiffers +dl\S+kubelet\.exe +SHA-256 is\s+[0-9a-f]{64},\s+expected\s+[0-9a-f]{64}\n$/,
    stderr: /^5 of 6 /,
  })
  put(kubelet, kubelet)
  rmSync(at(`${kubelet}.sha256`))
  t.match(await verify(), { code: 6, stdout: /\nunchecked +dl\S+kubelet\.exe +no checksum/ })
  put(`${kubelet}.sha256`, '<html>Not Found</html>')
  t.match(await verify(), { code: 6, stdout: /\nunchecked +dl\S+kubelet\.exe +HTML\s+in/ })
  rmSync(at(`${kubelet}.sha256`))
  mkdirSync(at(`${kubelet}.sha256`))
  t.match(await verify(), { code: 6, stdout: /\nunchecked +dl\S+kubelet\.exe +it is a\s+folder/ })
  const out = path.join(folder, 'bundle')
  const render = (...argv: readonly string[]) =>
    inProcess([
      ...['render', profile, '--set', 'join.endpoint=api.example.com:6443'],
      ...['--set', `join.caCertHashes=["sha256:${digest}"]`],
      ...['--out', out, '--verify-mirror', folder, ...argv],
    ])
  t.match(await render(), {
    code: 6,
    stdout: '',
    stderr: /unchecked[^]*\n5 of 6 files are verified\n\S+ lacks downloads: nothing written\n$/,
  })
  t.match(await render('--strict'), {
    code: 3,
    stderr: /\nwarning\[[^]*\n\S+ lacks downloads: nothing written\n$/,
  })
  t.notOk(existsSync(out))
  rmSync(at(`${kubelet}.sha256`), { recursive: true })
  put(`${kubelet}.sha256`, sha256('another'))
  const sarif = await render('--format', 'sarif')
  t.match(
    JSON.parse(sarif.stdout),
    { runs: [{ tool: {} }] },
    'a document although nothing is written',
  )
  t.match(await render('--json'), { code: 4, stdout: /"verdict": "differs"/ })
  t.notOk(existsSync(out))
  put(`${kubelet}.sha256`, sha256(kubelet))
  t.match(await render(), { code: 0, stderr: /6 of 6 files are verified[^]*wrote / })
  t.ok(existsSync(path.join(out, 'node.json')))
  for (const place of [
    'http://',
    'https://u:secret@127.0.0.1/m',
    'https://[::1',
    'http://h/m?x=1',
  ]) {
    const { code, stderr } = await inProcess(['mirror', profile, '--verify', place])
    t.equal(code, 2, place)
    t.match(stderr, 'has a host, and no user and no query', place)
    t.notMatch(stderr, 'secret', 'the password is not printed')
  }
  t.match(await inProcess(['mirror', profile, '--verify', at('no')]), {
    code: 2,
    stderr: /no such directory/,
  })
})

t.test('an address', async (t) => {
  const { files } = await listOf(profile)
  const bodies = new Map<string, string>()
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  for (const { path: file, program } of files) {
    if (!program) continue
    bodies.set(`/m/${file}`, file)
    const checksum = files.find(({ path: other }) => other.startsWith(`${file}.`))
    if (checksum)
      bodies.set(
        `/m/${checksum.path}`,
        program.checksum.shape === 'bare'
          ? sha256(file)
          : `${sha256(file)}  ${path.basename(file)}\n`,
      )
  }
  const kubelet = [...bodies.keys()].find((name) => name.endsWith('/kubelet.exe')) ?? ''
  let answer: (response: ServerResponse, body: string) => void = (response, body) =>
    response.end(body)
  const server = createServer(({ url = '' }, response) => {
    const body = bodies.get(url)
    if (body === undefined) return response.writeHead(404).end()
    if (url !== kubelet) return response.end(body)
    answer(response, body)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  const place = server.address()
  const port = typeof place === 'object' ? place?.port : undefined
  const verify = () => inProcess(['mirror', profile, '--verify', `http://127.0.0.1:${port}/m/`])
  t.match(await verify(), { code: 0, stdout: '', stderr: /^6 of 6 files are verified\n$/ })

  const sum = bodies.get(`${kubelet}.sha256`) ?? ''
  bodies.set(`${kubelet}.sha256`, 'a'.repeat(2 ** 21))
  t.match(await verify(), { code: 6, stdout: /unchecked[^]*more\s+than\s+1048576\s+bytes/ })
  bodies.set(`${kubelet}.sha256`, sum)

  const wrong: readonly (readonly [what: typeof answer, code: number, said: RegExp])[] = [
    [(response) => response.end('another'), 4, /differs +dl\S+kubelet\.exe +SHA-256 is/],
    [(response, body) => response.end(body.slice(1)), 4, /differs/],
    [(response) => response.writeHead(404).end(), 6, /missing +dl\S+kubelet\.exe/],
    [
      (response) => response.writeHead(429).end(),
      6,
      /unchecked +dl\S+kubelet\.exe +HTTP\s+status\s+429/,
    ],
    [(response) => response.writeHead(302, { location: '/m/gone' }).end(), 6, /missing/],
    [
      (response, body) => response.writeHead(200, { 'content-length': 999 }).end(body),
      6,
      /unchecked/,
    ],
    [(response) => response.destroy(), 6, /unchecked/],
  ]
  for (const [what, code, said] of wrong) {
    answer = what
    const outcome = await verify()
    t.equal(outcome.code, code, said.source)
    t.match(outcome.stdout, said)
    t.match(outcome.stderr, /5 of 6 files/)
  }
})

const published: readonly (readonly [
  what: string,
  shape: 'bare' | 'named',
  text: string,
  found: boolean,
])[] = [
  ['a digest', 'bare', `${digest.toUpperCase()}\r\n`, true],
  ['a digest and a name', 'bare', `${digest}  a.exe`, false],
  ['a line', 'named', `${digest}  a.exe\n`, true],
  ['a binary line', 'named', `${digest} *./bin/a.exe\r\n`, true],
  ['another name', 'named', `${digest}  A.exe\n`, false],
  ['two equal lines', 'named', `${digest}  a.exe\n${digest}  a.exe\n`, true],
  ['two lines that differ', 'named', `${digest}  a.exe\n${'cd'.repeat(32)}  a.exe\n`, false],
  ['a page', 'named', '<html></html>', false],
]

t.test('checksum files', async (t) => {
  for (const [what, shape, text, found] of published)
    t.equal(
      publishedDigest(text, { kind: 'published', url: '', shape, name: 'a.exe' }),
      found ? digest : undefined,
      what,
    )
})
