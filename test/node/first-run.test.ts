// The script of a first run, on the simulated host, where it measures what the table assumes.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { parse } from 'yaml'
import { registryValues } from '../../src/matrix/registry-values.ts'
import { windowsAssumptions } from '../../src/matrix/windows-assumptions.ts'
import { bring, token } from '../host/course.ts'
import type { Host } from '../host/host.ts'
import { filesOf, renderedMachine } from '../host/rendered.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import { inProcess, program, root } from '../tools/run.ts'

const folder = path.join(root, 'test/first-run')
const script = readFileSync(path.join(folder, 'Measure-WinNode.ps1'), 'utf8')

t.test('the script measures the rows of the table', async (t) => {
  const [, block = ''] = /^\$script:Row = \[ordered\]@\{\n([^]*?)^\}$/m.exec(script) ?? []
  const rows = [...block.matchAll(/^ {4}'([\w-]+)' += '(\w*)'$/gm)].map(([, id, mode = '']) => ({
    id,
    mode: mode.toLowerCase(),
  }))
  t.strictSame(
    rows,
    windowsAssumptions.map(({ id, mode = '' }) => ({ id, mode })),
  )
  const values = windowsAssumptions.flatMap(({ words = [] }) => words)
  for (const word of values)
    if (!/^(Idle|BelowNormal|Normal|AboveNormal|High|RealTime)$/.test(word))
      t.ok(script.includes(`'${word}'`), word)
})

t.test('on a runner nothing requires a restart', async (t) => {
  const layer = parse(readFileSync(path.join(folder, 'runner.yaml'), 'utf8'))
  t.strictSame(
    layer.host.registry,
    registryValues.map(({ path: key, name }) => ({ path: key, name })),
  )
})

interface FirstRun {
  readonly cluster: string
  readonly rows: readonly Row[]
}
interface Row {
  readonly id: string
  readonly value?: unknown
  readonly notMeasured?: string
}

interface Said {
  readonly code: number
  readonly said: string
}

async function measure(host: Host, parameters: Readonly<Record<string, string>>): Promise<Said> {
  return host.ps(
    `$call = $with.parameters
    $said = & "$($with.folder)/Measure-WinNode.ps1" @call -Out C:\\first-run.json 2>&1 6>&1
    @{ code = $LASTEXITCODE; said = @($said | ForEach-Object -Process { "$_" }) -join "\`n" }`,
    { folder, parameters },
  )
}

/** A fresh machine with a bundle in C:\win-node and the files that a join needs. */
async function fresh(t: Test, stage: Stage, profile: string): Promise<string> {
  const drive = path.join(t.testdir({}), 'c')
  const { node } = await renderedMachine(stage, profile, drive)
  bring(drive, filesOf(node).later)
  writeFileSync(path.join(drive, 'token'), `${token}\n`)
  return drive
}

const textOf = (drive: string): string => readFileSync(path.join(drive, 'first-run.json'), 'utf8')

/** Measured on Linux, which is not what the table is about. */
const ofThisSystem = new Set(['loop-seconds', 'rename-of-open-file'])

for (const profile of ['ws2022-flannel-l2bridge', 'ws2022-flannel-overlay']) {
  const plays = profile === 'ws2022-flannel-overlay' ? scenario : scenarioOfAll
  plays(`a first run of ${profile}`, async (t, stage) => {
    const { host } = stage
    const drive = await fresh(t, stage, profile)
    const parameters = { Bundle: String.raw`C:\win-node`, TokenFile: String.raw`C:\token` }
    t.match(await measure(host, parameters), { code: 3010 }, 'Containers needs a restart')
    await host.restart()
    await host.ps(`1..2 | ForEach-Object { Add-HostPod -Name "web-$_" }`)
    const { code, said } = await measure(host, parameters)
    t.equal(code, 0, said)
    await host.restart()
    t.match(await measure(host, parameters), { code: 0 }, 'the rows after a restart')

    const text = textOf(drive)
    t.notMatch(text, token, 'no secret')
    t.notMatch(text, /node-a|192\.0\.2|127\.0\.0|10\.244/, 'no name, no address')
    const { cluster, rows } = JSON.parse(text) as FirstRun
    t.equal(cluster, 'real')
    for (const { id, assumed, mode, host: place, compare } of windowsAssumptions) {
      const row = rows.find((one) => one.id === id)
      if (mode !== undefined && !profile.endsWith(mode))
        t.match(row?.notMeasured, /^the network is /, id)
      else if (ofThisSystem.has(id)) t.ok(row !== undefined && 'value' in row, id)
      else if (place === undefined) t.type(row?.notMeasured, 'string', `${id} is not simulated`)
      else if (compare) t.ok(Number(row?.value) <= Number(assumed), id)
      else t.equal(row?.value, assumed, `${id}: ${row?.notMeasured ?? 'a value'}`)
    }
    const { stdout } = await inProcess([
      'doctor',
      '--first-run',
      path.join(drive, 'first-run.json'),
    ])
    t.match(stdout, /\n\d\d same, \d differ, \d+ not measured\n$/)
  })
}

scenarioOfAll('a first run without a cluster', async (t, stage) => {
  const { host } = stage
  const drive = await fresh(t, stage, 'ws2022-flannel-overlay')
  // Renders as winnode does, and puts the bundle whose downloads exist here in its place.
  const fake = path.join(drive, 'winnode')
  const quoted = [...program, '"$@"'].join(' ')
  const rendered = path.join(drive, 'rendered.json')
  writeFileSync(
    fake,
    `#!/bin/sh\nset -e\n${quoted}\nmv "$4/node.json" '${rendered}'\nrm -rf "$4"\ncp -r '${drive}/win-node' "$4"\n`,
  )
  chmodSync(fake, 0o755)
  const layer = path.join(folder, 'runner.yaml')
  t.match(await measure(host, { WinNode: fake, Layer: layer }), { code: 3010 })
  await host.restart()
  const { said } = await measure(host, { WinNode: fake, Layer: layer })
  t.match(said, 'Join-WinNode.ps1: exit code ')
  const needed = filesOf(JSON.parse(readFileSync(rendered, 'utf8'))).later
  t.ok(needed.length > 1)
  for (const file of needed)
    t.ok(existsSync(path.join(drive, file.slice(3).replaceAll('\\', '/'))), `${file} exists`)

  const text = textOf(drive)
  const { cluster, rows } = JSON.parse(text) as FirstRun
  t.equal(cluster, 'stand-in')
  const ids = windowsAssumptions.filter((one) => one.cluster ?? one.mode).map(({ id }) => id)
  for (const { id, notMeasured } of rows)
    if (ids.includes(id)) t.type(notMeasured, 'string', `${id} is not measured`)
  t.ok(rows.some(({ id, value }) => id === 'dynamic-port-start' && value === 49152))
  t.notMatch(text, /BEGIN|LS0t|node-a|10\.96/, 'no credentials, names, addresses')
  const made = path.join(drive, 'etc/kubernetes/kubelet.conf')
  t.match(readFileSync(made, 'utf8'), 'client-key-data')
  const work = path.join(drive, 'Windows/Temp/winnode-stand-in')
  t.ok(existsSync(path.join(work, 'ready')), 'the stand-in has answered')
  t.match(readFileSync(path.join(work, 'version'), 'utf8'), /^1\.\d+\.\d+\n$/)
  await t.rejects(fetch('https://127.0.0.1:6443/version'), 'and has ended')
})

scenarioOfAll('a first run that is refused', async (t, stage) => {
  const { host } = stage
  const drive = await fresh(t, stage, 'ws2022-flannel-overlay')
  t.match(await measure(host, {}), { code: 2, said: /name a bundle with -Bundle/ })
  writeFileSync(path.join(drive, 'first-run.json'), '{"kind": "NodeReport"}')
  const bundle = String.raw`C:\win-node`
  t.match(await measure(host, { Bundle: bundle }), { code: 1, said: /is another file/ })
  t.equal(textOf(drive), '{"kind": "NodeReport"}', 'and is kept')
  await host.ps('Set-HostFact -Name Administrator -Value $false')
  t.match(await measure(host, { Bundle: bundle }), { code: 2, said: /not elevated/ })
})
