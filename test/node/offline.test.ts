// A machine without internet access: it installs and joins from a folder, as docs/air-gapped.md describes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { bring, install, succeeded, token } from '../host/course.ts'
import { everyKind, nodeDocument } from '../host/every-kind.ts'
import { tally, trouble } from '../host/host.ts'
import { renderedMachine } from '../host/rendered.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'
import { root } from '../tools/run.ts'

/** The profile of the page, which says all that differs from the built-in one. */
const page = readFileSync(path.join(root, 'docs/air-gapped.md'), 'utf8')
const profile = parse(/```yaml\n# node\.yaml\n([^]*?)```/.exec(page)?.[1] ?? '')

const flat = (value: unknown) => JSON.stringify(value)

scenario('a machine without internet', async (t, { host, artifacts, machine }) => {
  const drive = await machine(everyKind())
  const settings = [
    `host=${flat(profile.host)}`,
    `artifacts=${flat({ from: 'C:\\mirror' })}`,
    `registry=${flat(profile.registry)}`,
  ]
  const { node } = await renderedMachine({ host, artifacts }, profile.extends, drive, settings)
  const urls = node.steps.flatMap((step) => {
    const { url, checksum } = step as { url?: unknown; checksum?: { url?: unknown } }
    return [url, checksum?.url].filter((one) => typeof one === 'string')
  })
  t.ok(urls.length > 10)
  for (const url of urls) t.match(url, /^file:\/\/\/C:\/mirror\//)
  const put = (url: string, body = artifacts.body(url)) => {
    const file = path.join(drive, decodeURIComponent(new URL(url).pathname).replace('/C:/', ''))
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, body)
  }
  const kubelet = urls.find((url) => url.endsWith('/kubelet.exe')) ?? ''
  for (const url of urls) if (url !== kubelet) put(url)

  const lacking = await host.run('Install')
  t.equal(lacking.code, 1)
  t.match(trouble(lacking.result), /kubelet\.exe cannot be downloaded: .*Could not find file/)
  put(kubelet, Buffer.from('another'))
  await host.restart()
  const wrong = await host.run('Install')
  t.match(trouble(wrong.result), /kubelet\.exe: SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}/)

  put(kubelet)
  await install(host)
  bring(drive)
  succeeded(await host.run('Join', { Token: token }))
  t.equal((await host.run('Test')).code, 0)
  t.strictSame(artifacts.requests, [], 'no download from a server')
  t.strictSame(tally((await host.run('Install')).result)['Changed'], undefined)
})

scenarioOfAll(
  'http is accepted for a pinned digest only',
  async (t, { host, artifacts, machine }) => {
    const program = everyKind().steps.find(({ kind }) => kind === 'download')
    if (!program) throw new Error('there is no such step')
    const refused = 'http://example.com/kubelet.exe is not https'
    for (const kind of ['published', 'pinned']) {
      const checksum = kind === 'pinned' ? { kind, sha256: '' } : program['checksum']
      const drive = await machine(nodeDocument([{ ...program, checksum }]))
      const { steps } = JSON.parse(readFileSync(path.join(drive, 'win-node/node.json'), 'utf8'))
      artifacts.spoil(steps[0].url, 'toHttp', Infinity)
      const { code, result } = await host.run('Install')
      t.equal(code, 1, 'example.com does not have it')
      t.equal(trouble(result).includes(refused), kind === 'published', trouble(result))
    }
  },
)
