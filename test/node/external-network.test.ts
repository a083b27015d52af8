// The HNS network External: created before the network plugin starts, kept by the loop, and removed by Reset.
import path from 'node:path'
import { bring, changed, install, loop, reset, succeeded, token, what } from '../host/course.ts'
import { checksOf } from '../host/bundle.ts'
import { trouble } from '../host/host.ts'
import { filesOf, renderedMachine } from '../host/rendered.ts'
import { scenarioOfAll, type Stage } from '../host/stage.ts'

const profiles = [
  ['ws2022-flannel-overlay', 'Overlay', 'flannel.4096'],
  ['ws2022-flannel-l2bridge', 'L2Bridge', 'cbr0'],
  ['ws2022-win-bridge', 'L2Bridge', 'cbr0'],
] as const

/** Also without the feature Containers, whose commands list them. */
const networks = `& (Get-Module -Name host) { $script:Machine.Networks | ForEach-Object -Process { "$($_.Name) $($_.Type)" } }`
const remove = `Get-HnsNetwork | Where-Object -Property Name -EQ External | Remove-HnsNetwork`

async function installed({ host, artifacts }: Stage, name: string, drive: string) {
  const settings = ['network.external=true', 'network.adapter=Ethernet']
  const profile = `profiles/${name}.yaml`
  const { node } = await renderedMachine({ host, artifacts }, profile, drive, settings)
  await install(host)
  bring(drive, filesOf(node).later)
  return node
}

for (const [name, type, own] of profiles)
  scenarioOfAll(`${name}: External comes first, and goes last`, async (t, stage) => {
    const { host } = stage
    const node = await installed(stage, name, path.join(t.testdir({}), 'c'))
    const revision = checksOf(node).find(({ id }) => id === 'revision-not-2402')
    t.match(revision, { verdict: 'warn' })
    t.strictSame(await host.ps(networks), [], 'an image has no network')
    const join = succeeded(await host.run('Join', { Token: token }))
    const made = join.calls.indexOf('HNS POST networks External')
    const plugin = join.calls.findIndex((call) =>
      /^(Start-Service flanneld|HNS POST networks cbr0)$/.test(call),
    )
    t.ok(made > 0 && made < plugin, `External at ${made}, the plugin at ${plugin}`)
    t.strictSame(await host.ps(networks), [`External ${type}`, `${own} ${type}`])
    t.match(await host.run('Test'), { code: 0 })

    await host.ps(remove)
    t.match(await what(host), /external-network.*the network is missing, expected/)
    t.strictSame(changed(await loop(host)), ['external-network'])
    t.match(await host.run('Test'), { code: 0 })

    await reset(host)
    t.strictSame(await host.ps(networks), [], 'Reset removes both')
  })

scenarioOfAll('External of another program', async (t, stage) => {
  const { host } = stage
  await installed(stage, 'ws2022-flannel-l2bridge', path.join(t.testdir({}), 'c'))
  const other = (type: string) =>
    `& (Get-Module -Name host) { Add-HostNetwork -Name External -Type ${type} -Subnet '192.168.255.0/30' }; Start-Sleep -Seconds 60`
  await host.ps(other('Overlay'))
  const join = await host.run('Join', { Token: token })
  t.equal(join.result.exitCode, 1)
  t.match(
    trouble(join.result),
    /another program created a network named External with another type/,
  )
  await host.ps(`${remove}; ${other('L2Bridge')}`)
  succeeded(await host.run('Join', { Token: token }))
  t.match(await host.run('Test'), { code: 0 }, 'the same type will do')
  await reset(host)
  t.equal(await host.ps(networks), 'External L2Bridge', 'and Reset leaves it')
})
