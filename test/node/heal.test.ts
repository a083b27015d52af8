// The loop on a node with pods: what the network plugin, HNS and the address of the machine do to them, and what heals.
import path from 'node:path'
import { changed, loop, succeeded } from '../host/course.ts'
import { member } from '../host/days.ts'
import type { Host, JsonRun } from '../host/host.ts'
import { scenario, type Stage } from '../host/stage.ts'
import type { Test } from 'tap'

const bridge = 'ws2022-flannel-l2bridge'

/** What Test says once the kubelet has had time to report. */
const tested = async (host: Host): Promise<JsonRun> => {
  await host.ps('Start-Sleep -Seconds 30')
  return host.run('Test')
}

/** A joined node of a built-in profile whose loop has run once. */
async function node(t: Test, stage: Stage, profile: string): Promise<Host> {
  await member(stage, profile, path.join(t.testdir({}), 'c'))
  succeeded(await loop(stage.host))
  return stage.host
}

const addressOfKubelet = (host: Host): Promise<string> =>
  host.ps(
    `[regex]::Match((Get-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet').ImagePath, '--node-ip=(\\S+?)"?( |$)').Groups[1].Value`,
  )

scenario('the bridge endpoint has a default route', async (t, stage) => {
  const host = await node(t, stage, bridge)
  t.match(
    await host.ps(`@(Get-NetRoute -DestinationPrefix '0.0.0.0/0').InterfaceAlias`),
    ['vEthernet (cbr0_ep)', 'Ethernet'],
    'as flanneld leaves it',
  )
  t.strictSame(changed(succeeded(await loop(host))), [])
  t.equal(await addressOfKubelet(host), '192.0.2.10')
  t.match(await tested(host), { code: 0 })
})

scenario('a node keeps its address while it has it', async (t, stage) => {
  const host = await node(t, stage, 'ws2022-flannel-overlay')
  await host.ps(`Set-HostFact -Name Extra -Value @(@{ IPAddress = '192.0.2.99' })`)
  t.strictSame(changed(succeeded(await loop(host))), [], 'another address comes first')
  await host.ps(`Set-HostFact -Name Extra -Value @(
    @{ IPAddress = '192.0.2.98'; AddressState = 'Deprecated' }, @{ IPAddress = '192.0.2.99'; SkipAsSource = $true })
    Set-HostAddress -Address 192.0.2.77 -Follows $false`)
  t.not(changed(succeeded(await loop(host))).length, 0, 'it has lost its address')
  t.equal(await addressOfKubelet(host), '192.0.2.77', 'not one that is for no new connection')
  t.match(await tested(host), { code: 0 })
})
