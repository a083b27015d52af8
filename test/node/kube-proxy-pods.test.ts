// A node whose kube-proxy runs as HostProcess pods: no service and no credentials of it, and checks that report what it waits for.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { loop, succeeded } from '../host/course.ts'
import { member } from '../host/days.ts'
import { trouble } from '../host/host.ts'
import { scenarioOfAll } from '../host/stage.ts'

scenarioOfAll('kube-proxy of a DaemonSet on an overlay of flannel', async (t, stage) => {
  const { host } = stage
  const folder = t.testdir({})
  const profile = path.join(folder, 'web.yaml')
  writeFileSync(
    profile,
    'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nname: web\nkubeProxy:\n  runsAs: hostProcess\n',
  )
  const { node } = await member(stage, profile, path.join(folder, 'c'))
  t.notMatch(JSON.stringify(node.steps), /service-kube-proxy|kube-proxy\.conf|winnode-kube-proxy/)
  t.match(await host.ps(`"$(Get-Service -Name kube-proxy -ErrorAction SilentlyContinue)"`), '')
  const waiting = await host.run('Test')
  t.equal(waiting.result.exitCode, 7)
  const bad = waiting.result.health.filter(({ verdict }) => verdict === 'fail')
  t.match(
    bad.map(({ id }) => id),
    ['network', 'proxy'],
  )
  t.match(bad, [
    { evidence: /no endpoint of the source VIP/ },
    { remedy: /kubectl -n kube-system get pods/ },
  ])
  const name: string = await host.ps(
    `@(& (Get-Module -Name host) { $script:Machine.Networks } | Where-Object Name -like 'flannel.*')[0].Name`,
  )
  await host.ps('Set-HostFact -Name DaemonSet -Value $with.made; Start-Sleep -Seconds 30', {
    made: { Name: name, Proxy: true },
  })
  const { result, code } = await host.run('Test')
  t.equal(trouble(result), '')
  t.equal(code, 0)
  await host.restart()
  succeeded(await loop(host))
  await host.ps('Start-Sleep -Seconds 30')
  t.match(await host.run('Test'), { code: 0 }, 'after a restart the network is another one')
  t.equal(trouble((await host.run('Reset')).result), '')
})
