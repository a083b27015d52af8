// A healthy run of the loop, which only looks, and what makes it a complete run.
import { loop, succeeded } from '../host/course.ts'
import { member } from '../host/days.ts'
import type { Host } from '../host/host.ts'
import { scenarioOfAll } from '../host/stage.ts'

/** How many requests the API server got during a run, and how many steps the run tested. */
async function watched(host: Host) {
  const count = '@([WinNodeHost.ApiServer]::Requests()).Count'
  const before = await host.ps<number>(count)
  // At once: programs of the node ask, too, while time passes.
  const run = await host.run('Install', { Phase: 'boot' }, 'C:\\ProgramData\\winnode\\bundle')
  const requests = (await host.ps<number>(count)) - before
  return { run, requests, complete: run.result.steps.length > 0 }
}

/** Counts how often HNS lists what it has, until the machine is another. */
const countLists = `$global:HnsLists = [System.Collections.ArrayList]::new()
  foreach ($name in 'Get-HnsNetwork', 'Get-HnsEndpoint', 'Get-HnsPolicyList') {
    $body = (Get-Item -LiteralPath "function:$name").ScriptBlock
    $counted = { $null = $global:HnsLists.Add($name); & $body @args }.GetNewClosure()
    Set-Item -LiteralPath "function:global:$name" -Value $counted
  }`

const changes: Readonly<Record<string, string>> = {
  'a file was edited': `Set-Content -LiteralPath 'C:\\var\\lib\\kube-proxy\\config.json' -Value 'mine'`,
  'a service stopped': `Stop-Service -Name kube-proxy -Force`,
  'a service has another command line': `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet' -Name DisplayName -Value 'kubelet'
    Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet' -Name Start -Value 4`,
  'HNS has restarted': 'Restart-HostHns',
  'another address': 'Set-HostAddress -Address 192.0.2.77 -Follows $false',
  'an hour is over': 'Start-Sleep -Seconds 3600',
  'the machine has restarted': 'Restart-HostMachine',
  'the Node is not Ready': 'Set-HostNodeLost',
  'an access list differs': `$list = Get-Acl -LiteralPath 'C:\\k'
    $list.SetSecurityDescriptorSddlForm('D:(A;OICI;FA;;;WD)', 'Access')
    Set-Acl -LiteralPath 'C:\\k' -AclObject $list`,
}

scenarioOfAll('a healthy run only looks', async (t, stage) => {
  const { host } = stage
  const healthy = async () =>
    stage.once('healthy', async (drive) => {
      await member(stage, 'ws2022-flannel-overlay', drive)
      for (let run = 0; run < 3; run++) succeeded(await loop(host))
    })
  await healthy()

  await host.ps(countLists)
  const { run, requests, complete } = await watched(host)
  t.match(run, {
    code: 0,
    calls: [],
    writes: 0,
    errors: [],
    programs: ['whoami', 'crictl', 'netsh', 'kubectl'],
  })
  t.match(run.result, { kind: 'NodeResult', exitCode: 0, message: /^unchanged and healthy since / })
  t.equal(requests, 1, 'its Node')
  t.notOk(complete)
  t.strictSame(
    await host.ps(`@($global:HnsLists | Sort-Object)`),
    ['Get-HnsEndpoint', 'Get-HnsNetwork', 'Get-HnsPolicyList'],
    'HNS lists each kind once',
  )

  for (const [what, change] of Object.entries(changes)) {
    await healthy()
    await host.ps(change)
    t.ok((await watched(host)).complete, what)
  }
})
