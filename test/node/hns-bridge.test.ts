// A bridge that the node creates: differences are corrected, and refusals of HNS are reported.
import path from 'node:path'
import { bring, changed, idsOf, install, loop, succeeded, token, what } from '../host/course.ts'
import { trouble, type Host } from '../host/host.ts'
import { filesOf, renderedMachine } from '../host/rendered.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'

const inHost = (script: string): string => `& (Get-Module -Name host) { ${script} }`

/** A machine with an image of the profile, and all that Join needs. */
async function ready({ host, artifacts }: Stage, drive: string): Promise<void> {
  const { node } = await renderedMachine(
    { host, artifacts },
    'profiles/ws2022-win-bridge.yaml',
    drive,
  )
  await install(host)
  bring(drive, filesOf(node).later)
}

const join = async (host: Host) => host.run('Join', { Token: token })

/** What is otherwise, and the words of Test. */
const wrong: readonly (readonly [script: string, words: RegExp])[] = [
  [
    inHost(`$script:Machine.Networks[0].Type = 'Overlay'`),
    /the network is Overlay, expected L2Bridge/,
  ],
  [
    inHost(`$script:Machine.Networks[0].Subnet = '10.9.0.0/24'`),
    /the network's subnet is 10\.9\.0\.0\/24, expected the node's pod CIDR 10\.244\.3\.0\/24/,
  ],
  [
    inHost(`$script:Machine.Networks[0].ManagementIP = '192.0.2.99'`),
    /no interface has the address 192\.0\.2\.99 of the network/,
  ],
  ['Set-HostFact -Name Endpoints -Value @()', /the network has no endpoint cbr0_ep/],
  [
    inHost(
      `foreach ($one in $script:Machine.Endpoints) { if ($one.Name -eq 'cbr0_ep') { $one.IPAddress = '10.244.3.9' } }`,
    ),
    /cbr0_ep is at 10\.244\.3\.9, expected 10\.244\.3\.2/,
  ],
  [inHost('$script:Machine.Forwarding = @()'), /IP forwarding is disabled at/],
]

scenario('a bridge that is not as described', async (t, stage) => {
  const { host } = stage
  await ready(stage, path.join(t.testdir({}), 'c'))
  succeeded(await join(host))
  for (const [script, words] of wrong) {
    await host.ps(script)
    t.match(await what(host), words)
    const run = await loop(host)
    t.equal(trouble(run.result), '', String(words))
    t.ok(changed(run).includes('hns-network'), `${String(words)}: made right`)
    await loop(host)
    t.match(await host.run('Test'), { code: 0 }, `${String(words)}: as described`)
  }
  const reserved = 'C:\\var\\lib\\cni\\networks\\cbr0\\10.244.3'
  await host.ps(`Copy-Item -LiteralPath '${reserved}.2' -Destination '${reserved}.9'`)
  t.match(await what(host), /reserved: '10\.244\.3\.2, 10\.244\.3\.9', expected 10\.244\.3\.2/)
  succeeded(await loop(host))
  t.equal(await host.ps(`Test-Path -LiteralPath '${reserved}.9'`), false, 'it is released')
  t.match(await host.run('Test'), { code: 0 }, 'one address is reserved')
})

/** What HNS says no to, how it says so, and what the step then says. */
const refused: readonly (readonly [request: string, code: string, words: RegExp])[] = [
  ['HNS networks', '0x803b0006', /HNS refused to create networks: .*An adapter was not found/],
  [
    'HNS endpoints',
    '0x803b001e',
    /HNS refused to create endpoints: .*IP address is either invalid/,
  ],
]

scenarioOfAll('HNS refuses the bridge', async (t, stage) => {
  const { host } = stage
  await ready(stage, path.join(t.testdir({}), 'c'))
  for (const [request, code, words] of refused) {
    await host.ps('Add-HostFault -On $with.request -Message $with.code', { request, code })
    const run = await join(host)
    t.equal(run.result.exitCode, 1)
    t.match(run.result.steps.find(({ id }) => id === 'hns-network')?.detail, words)
    t.ok(idsOf(run, 'Skipped').includes('file-cni-conf'), 'so the Node is not Ready')
  }
  succeeded(await join(host))
  t.match(await host.run('Test'), { code: 0 })
})

scenarioOfAll('a Node that gets no podCIDR', async (t, stage) => {
  const { host } = stage
  await ready(stage, path.join(t.testdir({}), 'c'))
  await host.ps(`Set-HostFact -Name PodSubnet -Value ''`)
  const run = await join(host)
  t.equal(run.result.exitCode, 1)
  t.match(
    trouble(run.result),
    /hns-network Failed: the node's pod CIDR is unknown: the Node has no podCIDR/,
  )
})
