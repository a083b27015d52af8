// The scripts and services that a fix names are run on the simulated host: the problem ends.
import { t } from 'tap'
import { diagnoses } from '../../src/doctor/diagnoses.ts'
import { diagnose } from '../../src/doctor/diagnose.ts'
import { bring, reset, token } from '../host/course.ts'
import { tick } from '../host/days.ts'
import { trouble, type Host } from '../host/host.ts'
import { scenario } from '../host/stage.ts'
import { sampleOf } from '../tools/everything.ts'
import { member, memberDocument, reportOf } from './member.ts'
import { simulated } from './simulated.ts'

const fixOf = (id: string) => diagnoses.find((row) => row.id === id)?.fix ?? ''

const command =
  /(?<script>\w+)-WinNode\.ps1(?<boot> -Phase boot)?|(?<verb>Start|Restart)-Service (?<service>[\w-]+)/g

/** What a fix names beside scripts and services, and the parts of Windows that the simulated host lacks: done first. */
const beside: Readonly<Record<string, string>> = {
  'hns-network-wrong': 'Get-HnsEndpoint | Remove-HnsEndpoint; Get-HnsNetwork | Remove-HnsNetwork',
  // HNS and WMI respond again after their restart.
  'hns-silent': 'Add-HostFault -On Get-HnsNetwork -Times 0',
  'windows-silent': 'Add-HostFault -On Win32_OperatingSystem -Times 0',
  // Without winnat its exclusions are gone, and the Service Control Manager restarts the kubelet.
  'port-reserved': `Set-HostFact -Name ExcludedPorts -Value @()
    foreach ($port in 'tcp startport=10250', 'udp startport=65330') {
      $null = Invoke-HostProgram -Name netsh -Argument "interface ipv4 add excludedportrange protocol=$port numberofports=1 store=persistent".Split(' ')
    }
    Start-Service -Name kubelet`,
}

/** Services of Windows that the simulated host lacks. */
const absent = ['winmgmt', 'winnat']

const inNpmTest = ['containerd-stopped', 'kube-proxy-for-other-node', 'service-gone']

t.test('a fix that resets a machine installs it before it joins', async (t) => {
  for (const { id, fix } of diagnoses) {
    const { 1: after = '' } = fix.split('Reset-WinNode.ps1')
    t.notMatch(after, /^(?:(?!Install-WinNode).)*Join-WinNode/, id)
  }
})

async function follow(host: Host, drive: string, fix: string): Promise<void> {
  // kubeadm refuses the name of a Node that is Ready.
  const lost = () => host.ps('Set-HostNodeLost')
  if (fix.includes('new token')) await lost()
  for (const { groups = {} } of fix.matchAll(command)) {
    const { script, boot, verb, service } = groups
    if (absent.includes(service ?? '')) continue
    if (script === undefined) {
      await host.ps(`${verb}-Service -Name ${service}`)
      // Its event starts the reconcile loop.
      if (service === 'hns') await tick(host)
    } else if (script === 'Reset') {
      await reset(host)
      await lost()
    } else if (script === 'Join') {
      bring(drive)
      await host.run('Join', { Token: token })
    } else if (boot) await host.run('Install', { Phase: 'boot' })
    else if ((await host.run('Install')).code === 3010) {
      await host.restart()
      await host.run('Install')
      await host.run('Install', { Phase: 'boot' })
    }
  }
}

const named = Object.keys(simulated).filter((id) => fixOf(id).search(command) >= 0)

scenario('what a fix names ends the problem', async (t, { host, machineAfter }) => {
  t.ok(named.length > 20, `${named.length} fixes`)
  for (const id of sampleOf(named, (one) => inNpmTest.includes(one))) {
    const drive = await machineAfter(member, memberDocument)
    await host.ps(simulated[id] ?? '')
    await host.ps(beside[id] ?? '')
    await follow(host, drive, fixOf(id))
    await host.ps('Start-Sleep -Seconds 60')
    const { found, unexplained } = diagnose(await reportOf(host, drive))
    const left = [...found.map(({ diagnosis }) => diagnosis.id), ...unexplained]
    t.strictSame(left, [], `${id}: ${trouble((await host.run('Test')).result)}`)
  }
})
