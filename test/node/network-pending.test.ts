// A node whose network comes from a DaemonSet that is pulled for 40 minutes, with a restart of the machine meanwhile.
import path from 'node:path'
import { loop, succeeded } from '../host/course.ts'
import { member, secondsOf } from '../host/days.ts'
import { scenarioOfAll } from '../host/stage.ts'

const pending = /^network pending: .* has not created the HNS network Calico$/

scenarioOfAll('a network that comes after the join', async (t, stage) => {
  const { host } = stage
  const drive = path.join(t.testdir({}), 'c')
  // Throws unless Join ends with 0.
  await member(stage, 'ws2022-calico', drive, 'Set-HostFact -Name DaemonSet -Value $false')
  const joined = await secondsOf(host)
  t.ok(joined < 1200, `Join does not wait for it: ${joined} s`)
  for (const wait of [600, 600, 1200]) {
    await host.ps(`Start-Sleep -Seconds ${wait}`)
    const { result } = await host.run('Test')
    t.equal(result.exitCode, 7)
    const said = Object.fromEntries(result.health.map(({ id, evidence }) => [id, evidence]))
    t.match(said, { network: pending, proxy: /; kube-proxy waits for the HNS network Calico$/ })
    await host.restart()
    await loop(host)
  }
  await host.ps('Set-HostFact -Name DaemonSet -Value $with.made; Start-Sleep -Seconds 60', {
    made: { Name: 'Calico', Type: 'Overlay', Proxy: true },
  })
  succeeded(await loop(host))
  t.match(await host.run('Test'), { code: 0 })
})
