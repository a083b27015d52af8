// Single functions of the module, where what surrounds them is too rare or too slow to play.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Test } from 'tap'
import type { Host } from '../host/host.ts'
import { identity } from '../cluster/certificates.ts'
import { nodeDocument } from '../host/every-kind.ts'
import { scenario } from '../host/stage.ts'
import { root } from '../tools/run.ts'

const module = path.join(root, 'dist/node/WinNode.Report.psm1')

/** Runs PowerShell in the module; a function that it declares is in the place of the module's until it ends. */
const inModule = <T>(host: Host, script: string, values = {}): Promise<T> =>
  host.ps<T>(
    `Import-Module -Name $with.module -Force
    & (Get-Module -Name WinNode.Loop) { param($with) ${script} } $with`,
    { ...values, module },
  )

type Row = readonly [what: string, script: string, expected: unknown]

/** Each row in the module, after the same beginning. */
async function each(t: Test, host: Host, begin: string, rows: readonly Row[]): Promise<void> {
  for (const [what, script, expected] of rows)
    t.strictSame(await inModule(host, `${begin}\n${script}`), expected, what)
}

/** A response with a body, in place of one from a server. */
const responds = (code: number, range: string, length: number, body: string): string =>
  `function Get-NodeResponse {
    [pscustomobject]@{ StatusCode = ${code}; Headers = @{ 'Content-Range' = '${range}' }; ContentLength = ${length} } |
      Add-Member -PassThru -MemberType ScriptMethod -Name GetResponseStream -Value {
        , [System.IO.MemoryStream]::new([System.Text.Encoding]::ASCII.GetBytes('${body}'))
      } | Add-Member -PassThru -MemberType ScriptMethod -Name Close -Value {}
  }`

/** One attempt, after a first part of four bytes: whether it went on with that part, and the file. */
const part = `Set-Content -LiteralPath 'C:\\part' -Value 'abcd' -NoNewline
  $said = try { Receive-NodePart -Url 'https://example.com/a' -LiteralPath 'C:\\part' -Most 100 -Pinned $false } catch { "$_" }
  "$said $(Get-Content -LiteralPath 'C:\\part' -Raw)"`

scenario('a download', async (t, { host, artifacts, machine }) => {
  await machine(nodeDocument([]))
  const rows: readonly (readonly [what: string, response: string, expected: string])[] = [
    ['the rest', responds(206, 'bytes 4-5/6', 2, 'ef'), 'True abcdef'],
    ['another range', responds(206, 'bytes 0-5/6', 6, 'abcdef'), 'False abcdef'],
    // .NET Framework does not say so, and PowerShell 7 throws by itself.
    [
      'a connection that breaks',
      responds(200, '', 6, 'abc'),
      'the connection closed after 3 of 6 bytes abc',
    ],
  ]
  await each(
    t,
    host,
    '',
    rows.map(([what, response, expected]) => [what, `${response}\n${part}`, expected]),
  )
  const url = artifacts.put('https://example.com/whole', 'the whole')
  const whole = await inModule(
    host,
    `Set-Content -LiteralPath 'C:\\part' -Value 'as long!!' -NoNewline
    $resumed = Receive-NodeFile -Url $with.url -LiteralPath 'C:\\part'
    "$resumed $(Get-Content -LiteralPath 'C:\\part' -Raw)"`,
    { url },
  )
  t.equal(whole, 'False the whole', 'a part that is as long as the file: from the first byte')
})

scenario('a checksum file', async (t, { host }) => {
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
  const sum = (shape: string, ...lines: readonly string[]): string =>
    `Select-NodeChecksum -Shape ${shape} -Name kubelet.exe -Text '${lines.join('\n')}'`
  await each(t, host, '', [
    ['in upper case', sum('bare', a.toUpperCase()), a],
    ['no sum', sum('bare', 'not found'), ''],
    ['a name', sum('named', `${b}  kubelet.exe.sig`, `${a} *./bin/kubelet.exe`), a],
    ['twice the same', sum('named', `${a}  kubelet.exe`, `${a}  x/kubelet.exe`), a],
    ['two sums', sum('named', `${a}  kubelet.exe`, `${b}  x/kubelet.exe`), ''],
  ])
})

/** Ready sandboxes by what is special about them; the runtime knows no more of the one that is removed. */
const sandboxes = `Initialize-NodeRun -Path 'C:\\'
  function Find-NodeProgram { 'crictl.exe' }
  $script:AskedPods = @()
  function Get-NodeReadySandbox {
    'named', 'remote', 'removed', 'other', 'host' | ForEach-Object -Process {
      $labels = if ($_ -eq 'host') { @{ 'pod-template-generation' = '1' } } else { @{} }
      @{ id = $_; metadata = @{ namespace = 'default'; name = $_ }; labels = $labels }
    }
  }
  function Invoke-NodeCrictl {
    param($Program, $ArgumentList)
    $id = $ArgumentList[-1]
    $script:AskedPods += $id
    if ($id -eq 'removed') { throw 'not found' }
    $ip = @{ named = '10.0.0.1'; remote = '10.0.0.2'; other = '10.0.0.3'; host = '' }[$id]
    '{"status":{"network":{"ip":"' + $ip + '"}}}'
  }
  function Get-HnsEndpoint {
    [pscustomobject]@{ ID = 'a'; Name = 'named_net'; IPAddress = '10.0.0.9' }
    [pscustomobject]@{ ID = 'b'; Name = 'Ethernet'; IPAddress = '10.0.0.2'; IsRemoteEndpoint = $true }
    [pscustomobject]@{ ID = 'c'; Name = 'other-123456'; IPAddress = '10.0.0.3' }
  }`

scenario('pods, and what HNS has of them', async (t, { host }) => {
  await each(t, host, sandboxes, [
    [
      'lost: without an endpoint on this machine',
      `(@(Get-NodeLostSandbox | ForEach-Object -Process { $_['id'] }) + 'asked:' + $script:AskedPods) -join ' '`,
      'remote asked: remote removed other host',
    ],
    [
      'workload: not of a DaemonSet',
      `(Get-NodeWorkload) -join ' '`,
      'default/named default/remote default/removed default/other',
    ],
    ['or all', '@(Get-NodeWorkload -All).Count', 5],
    [
      'an endpoint that is gone counts as one behind a load balancer',
      `function Get-HnsPolicyList {
        [pscustomobject]@{
          References = '/endpoints/a', '/endpoints/gone'
          Policies = @([pscustomobject]@{ VIPs = @('10.96.0.10'); ExternalPort = 53; Protocol = 17 })
        }
      }
      (Get-NodeLoadBalancer).Behind -join ', '`,
      '10.0.0.9, endpoint gone',
    ],
    [
      'a load balancer by its protocol: DNS has one for each',
      `function Get-HnsPolicyList {
        foreach ($protocol in 6, 17) {
          [pscustomobject]@{
            References = @(if ($protocol -eq 6) { '/endpoints/a' } else { '/endpoints/c' })
            Policies = @([pscustomobject]@{ VIPs = @('10.96.0.10'); ExternalPort = 53; Protocol = $protocol })
          }
        }
      }
      @(foreach ($protocol in 6, 17) { Get-NodeBalancerText -Name "10.96.0.10 53 $protocol" }) -join '; '`,
      '10.0.0.9; 10.0.0.3',
    ],
    [
      'while nothing is changed, HNS lists each kind once',
      `$script:Asked = @()
      function Get-HnsPolicyList { $script:Asked += 'lists' }
      function Get-HnsEndpoint { $script:Asked += 'endpoints'; [pscustomobject]@{ ID = 'a' } }
      foreach ($kept in $null, @{}) {
        $script:Run.Hns = $kept
        foreach ($port in 53, 443) { $null = Get-NodeBalancerText -Name "10.96.0.1 $port 6" }
      }
      $script:Asked -join ' '`,
      'endpoints lists endpoints lists endpoints lists',
    ],
    [
      'a process with the number of an earlier one is another',
      `function Get-CimInstance { [pscustomobject]@{ ProcessId = 1200 } }
      function Get-Process { [pscustomobject]@{ StartTime = [DateTimeOffset]::new(2026, 1, 2, 3, 4, 5, 0).UtcDateTime } }
      Get-NodeHnsProcess`,
      '1200 2026-01-02T03:04:05',
    ],
  ])
})

/** What a check adds, in place of keeping it; steps and join state as a row says. */
const checks = `function Add-NodePreflight { param($Id, $Verdict, $Passed, $Message) "$Id $Verdict $Passed" }
  function Get-NodePhaseStep { $steps }
  function Get-NodeJoinStep { $steps[0] }
  function Get-NodeToken { '' }
  function Get-NodeMembership { @{ State = $state; Name = 'a'; Wanted = 'b'; Text = 'its name is b, not a' } }
  function Test-NodeStepUsesFact { $false }
  function Invoke-NodeStep { param($Step, [switch] $TestOnly) @{ state = 'Different'; id = $Step['id']; detail = '' } }`

scenario('checks before a join', async (t, { host }) => {
  const image = `$steps = @{ id = 'log'; kind = 'logRotation' }, @{ id = 'folder'; kind = 'directory' }
    @(Assert-NodeEarlier -Phase image) -join '; '`
  await each(t, host, checks, [
    [
      'a token is required where Join would use it',
      `$steps = @(@{ kind = 'kubeadmJoin' })
      @(foreach ($state in 'none', 'member', 'waiting', 'foreign') { "$state $(Assert-NodeToken)".Trim() }) -join '; '`,
      'none join-token fail False; member; waiting; foreign',
    ],
    [
      'one that is given is of its form, also while an earlier one waits',
      `$steps = @(@{ kind = 'kubeadmJoin' })
      function Get-NodeToken { 'no token' }
      @(foreach ($state in 'none', 'member', 'waiting') { "$state $(Assert-NodeToken)".Trim() }) -join '; '`,
      'none join-token fail False; member; waiting join-token fail False',
    ],
    [
      'a log that has grown stops no join',
      `$state = 'none'; ${image}`,
      'image-running warn False; image fail False',
    ],
    ['nor a folder', `$state = 'member'; ${image}`, 'image-running warn False; image fail True'],
    [
      'what is left of an earlier bundle stops nothing',
      `function Get-NodeOrphan { @{ kind = 'file'; path = 'C:\\left' } }
      Add-NodeOrphan`,
      'earlier-bundle warn False',
    ],
    [
      'a new host name stops nothing',
      `$state = 'member'; $steps = @(@{ kind = 'kubeadmJoin' }); Assert-NodeSameName`,
      'node-name warn False',
    ],
  ])
})

scenario('folders that are made, and removed', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const found = await inModule(
    host,
    `$made = 'C:\\made', 'C:\\made\\empty', 'C:\\made\\full'
    $null = New-Item -ItemType Directory -Path 'C:\\made\\empty', 'C:\\made\\full\\theirs', 'C:\\theirs'
    $list = Get-Acl -LiteralPath 'C:\\theirs'
    $list.SetSecurityDescriptorSddlForm('O:S-1-5-21-1-2-3-1001D:(A;;FA;;;BA)', 'Owner, Access')
    Set-Acl -LiteralPath 'C:\\theirs' -AclObject $list
    $script:Run = @{ State = @{ folders = $made }; Document = @{ steps = @() }; Lock = $null }
    try {
      Clear-NodeCreatedFolder -Below 'C:'
      $script:Run.State['folders']
      try { Initialize-NodeFolder -LiteralPath 'C:\\theirs\\new' } catch { "$_" }
    } finally { $script:Run = $null }`,
  )
  t.match(found, [
    'C:\\made',
    'C:\\made\\full',
    /^C:\\theirs\\new: other users may have written to it: C:\\theirs is owned by S-1-5/,
  ])
  const inTheWay = inRun(
    `Details = @(); Document = @{ steps = @() }; State = @{ folders = @() }`,
    `Write-NodeText -LiteralPath 'C:\\file' -Text ''
    $step = @{ path = 'C:\\file'; sddl = $script:ProtectedFolder; layers = $false }
    $list = (Get-Acl -LiteralPath 'C:\\file').Sddl
    Test-NodeDirectory -Step $step
    try { Set-NodeDirectory -Step $step } catch { "$_" }
    (Get-Acl -LiteralPath 'C:\\file').Sddl -ceq $list`,
  )
  t.strictSame(await inModule(host, inTheWay), [false, 'C:\\file is a file: rename it', true])
  const protects = `$script:Called = @()
    ${calls('Initialize-NodeFolder', 'Protect-NodePath')}
    function Protect-NodeFolder { $script:Called += 'whole' }
    function Get-NodeKindStep { }
    foreach ($sddl in $null, 'O:BA', $script:ProtectedFolder) {
      foreach ($layers in $false, $true) {
        Set-NodeDirectory -Step @{ path = 'C:\\new'; sddl = $sddl; layers = $layers } -Confirm:$false
      }
    }
    ("$script:Called" -replace 'Initialize-Folder', ';').Trim('; ')`
  t.equal(
    await inModule(host, protects),
    'Protect-Path ; Protect-Path ; whole ; Protect-Path',
    'what is in a folder is protected too, except layers of images',
  )
})

/** A run with this state and these steps, for functions that read it. */
const inRun = (run: string, script: string): string =>
  `$script:Run = @{ ${run} }\ntry { ${script} } finally { $script:Run = $null }`

const backend = (spec: string, port = 'dns'): string => `function Get-NodeFact { 'node-a' }
  $slices = foreach ($family in 'IPv4', 'IPv6') {
    $net = if ($family -eq 'IPv4') { '10.0.0.' } else { 'fd00::' }
    @{
      addressType = $family; ports = @(@{ name = 'dns' })
      endpoints = @(
        @{ addresses = @("\${net}1"); nodeName = 'node-a' }, @{ addresses = @("\${net}2"); nodeName = 'other' }
        @{ addresses = @("\${net}3"); nodeName = 'node-a'; conditions = @{ ready = $false } }
      )
    }
  }
  @(Get-NodeServiceBackend -Slice $slices -Port @{ name = '${port}' } -Spec @{ ${spec} }) -join ' '`

/** A token of a ServiceAccount, as far as it is read. */
const token = (claims: object): string =>
  ['{}', JSON.stringify(claims), 'signature']
    .map((text) => Buffer.from(text).toString('base64url'))
    .join('.')

const verdict = (script: string): string => `$said = ${script}
  "$($said.Verdict): $($said.Evidence)"`

scenario(
  'a lock that another run holds, and one that cannot be made',
  async (t, { host, machine }) => {
    await machine(nodeDocument([]))
    const lock = (file: string): string => `function Write-NodeLine { $script:Waits = $true }
    function Read-NodeClock { $script:Waits = $true }
    $script:Waits = $false
    $problem = try { Lock-NodeState -LiteralPath '${file}' -Seconds 4 } catch { "$_" }
    "$script:Waits $problem"`
    const held = await inModule<string>(
      host,
      `$held = Lock-NodeState -LiteralPath 'C:\\lock' -Seconds 0
    try { ${lock('C:\\lock')} } finally { $held.Dispose() }`,
    )
    t.equal(held, 'True another winnode run is in progress on this machine')
    t.match(
      await inModule<string>(host, lock('C:\\none\\lock')),
      /^False C:\\none\\lock: cannot be opened: Could not find a part of the path/,
    )
  },
)

scenario('each reason for a complete run of the loop', async (t, { host }) => {
  const reason = (state: string, more = ''): string => `function Get-NodeSuspension { '' }
    function Test-NodeSameBoot { param($Noted) $Noted -ceq 'boot' }
    function Read-NodeTrace { param($Name) 'as before' }
    function Get-NodeLogStep { }
    function Read-NodeClock { [DateTimeOffset]::new(2026, 1, 2, 3, 5, 0, 0).UtcDateTime }
    ${more}
    ${inRun(
      `Document = @{ sha256 = 'a' }; State = @{
        joined = $true; stopped = @(); doubts = @(); restarts = @(); boot = ''; bundle = 'a'
        seen = @{
          at = '2026-01-02T03:00:00Z'; until = '2026-01-02T03:30:00Z'; boot = 'boot'; traces = @{ 'file C:\\k' = 'as before' }
        }
      }`,
      `$state = $script:Run.State; ${state}; Get-NodeChange`,
    )}`
  const log = (kind: string): string => `function Get-NodeLogStep {
      @{ kind = '${kind}'; path = 'C:\\k.log'; log = @{ path = 'C:\\kubelet.log' } }
    }
    function Test-NodeLogRotation { $false }
    function Get-NodeExcessLog { 'C:\\kubelet.log.1' }`
  await each(t, host, '', [
    ['none', reason(''), ''],
    ['no run', reason('$state.seen = @{}'), 'no complete run has found the node healthy'],
    ['not joined', reason('$state.joined = $false'), 'the loop is suspended'],
    ['suspended', reason('', `function Get-NodeSuspension { 'until' }`), 'the loop is suspended'],
    ['a stopped service', reason(`$state.stopped = @('kubelet')`), 'services are stopped'],
    ['doubts', reason(`$state.doubts = @('dns', 'proxy')`), 'dns, proxy failed once'],
    [
      'a restart that is pending',
      reason(`$state.restarts = @('feature'); $state.boot = 'boot'`),
      'a restart is pending',
    ],
    ['a restart that has been', reason(`$state.restarts = @('feature')`), ''],
    ['a bundle', reason(`$state.bundle = 'b'`), 'the bundle is another'],
    ['a start', reason(`$state.seen.boot = 'last'`), 'the machine has restarted'],
    ['a file', reason(`$state.seen.traces['file C:\\k'] = 'other'`), 'file C:\\k'],
    ['a log to rotate', reason('', log('logRotation')), 'C:\\k.log'],
    ['a log of a service', reason('', log('service')), 'C:\\kubelet.log'],
  ])
})

scenario('what else a health check or a step finds', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const network = (need: string, found: string): string => `function Get-NodeHnsNetwork { ${found} }
    ${verdict(`Get-NodeNetworkHealth -Need @{ network = 'cbr0'; type = 'Overlay'; endpoint = ''; ${need} }`)}`
  const remote = (da: string, vpn: string, site: string): string => `function Get-RemoteAccess {
      [CmdletBinding()] param()
      [pscustomobject]@{ RoutingStatus = 'Installed'; DAStatus = '${da}'; VpnStatus = '${vpn}'; VpnS2SStatus = '${site}' }
    }
    $found = Get-NodeRemoteAccess
    "$($found.routing) $($found.others)".Trim()`
  const router = (
    routing: string,
    active: boolean,
  ): string => `function Get-NodeRemoteAccess { @{ routing = '${routing}' } }
    function Test-NodeServiceActive { $${String(active)} }
    ${inRun('Details = @()', `"$(Test-NodeRemoteAccess -Step @{ vpnType = 'RoutingOnly' }) $($script:Run.Details)".Trim()`)}`
  const value = (data: string, kind: string): string => `function Get-NodeRegistryData { , ${data} }
    function Get-Item { [pscustomobject]@{} | Add-Member -PassThru -MemberType ScriptMethod -Name GetValueKind -Value { '${kind}' } }
    $found = Backup-NodeRegistryData -Key 'HKLM:\\A' -Name 'b'
    if ($null -eq $found) { 'nothing' } else { "$($found.type) $($found.data)" }`
  const check = (
    kind: string,
    passed: boolean,
    quiet = false,
  ): string => `function Write-NodeLog { param($Level, $Step, $Message) $script:Said += "$Level $Step $Message" }
    function Write-NodeRow { param($Place, $State, $Id, $Text) $script:Said += "$State $Text" }
    $script:Said = @()
    ${inRun(
      `Quiet = $${String(quiet)}; Preflight = @(); Secrets = @()`,
      `Add-NodePreflight -Id memory -Verdict ${kind} -Passed $${String(passed)} -Message 'too small'
      (@($script:Said) + "$($script:Run.Preflight[0].verdict) $($script:Run.Preflight[0].passed)") -join '; '`,
    )}`
  const reset = (answers: boolean, again: string): string => `$script:Asked = 0
    function Get-NodeHnsNetwork { $script:Asked++; if ($script:Asked -eq 1) { 'first' } else { ${again} } }
    function Remove-NodeHnsNetwork { param($Network) $script:Gone += $Network }
    function Restart-NodeService { $script:Gone += 'hns' }
    function Wait-NodeCondition { $${String(answers)} }
    $script:Gone = @()
    ${inRun(
      'Details = @()',
      `$failure = @(try { Restore-NodeHnsNetwork -Step @{ name = 'cbr0' } } catch { "$_" })
      ($script:Gone + $script:Run.Details + $failure) -join '; '`,
    )}`
  const service = (
    before: string,
  ): string => `function Unregister-NodeService { $script:Gone += 'deleted'; $true }
    function Close-NodeService { $script:Gone += 'stopped' }
    function Write-NodeService { param($Name, $Wish) $script:Gone += (@($Wish.Keys | Sort-Object) -join ',') }
    $script:Gone = @()
    $restart = Restore-NodeService -Step @{ name = 'kubelet' } -Before ${before}
    ($script:Gone + $restart) -join '; '`
  const folder = (text: string): string => `Write-NodeText -LiteralPath 'C:\\c.toml' -Text '${text}'
    "$(Get-NodeImageFolder -LiteralPath 'C:\\c.toml')|$(Get-NodeImageFolder -LiteralPath 'C:\\none.toml')"`
  await each(t, host, '', [
    [
      'a network that a DaemonSet creates later',
      network('byDaemonSet = $true', ''),
      'fail: network pending: the network plugin has not created the HNS network cbr0',
    ],
    ['a network that is missing', network('', ''), 'fail: HNS network cbr0 not found'],
    [
      'HNS that does not answer',
      network('', `throw [System.TimeoutException]::new('no answer')`),
      'fail: no answer',
    ],
    ...([200, 204, 503] as const).map((code): Row => [
      `healthz with ${code}`,
      `function Read-NodeListener { @{ Code = ${code}; Text = 'said' } }
        ${verdict(`Get-NodeListenerHealth -Need @{ address = '127.0.0.1'; port = 1 }`)}`,
      `${code === 200 ? 'ok' : 'fail'}: http://127.0.0.1:1/healthz: ${code} said`,
    ]),
    [
      'a reserved port outside the dynamic ones',
      `function Get-NodeExcludedPort { @{ From = 49999; To = 50000 }; @{ From = 50767; To = 50768 } }
      function Get-NetTCPConnection {
        [CmdletBinding()] param()
        foreach ($port in 49999, 50001, 50766, 50768) {
          [pscustomobject]@{ LocalPort = $port; State = 'Established'; OwningProcess = 1 }
        }
      }
      ${verdict(`Get-NodePortHealth -Need @{ dynamic = '50000-50767'; ports = @() }`)}`,
      'ok: 4 of 768 dynamic ports in use or reserved, 11 blocks of 64 free',
    ],
    ['the router alone', remote('Uninstalled', 'Uninstalled', 'Uninstalled'), 'Installed'],
    ['DirectAccess', remote('Installed', 'Uninstalled', 'Uninstalled'), 'Installed DAStatus'],
    ['a VPN', remote('Uninstalled', 'Installed', 'Uninstalled'), 'Installed VpnStatus'],
    ['one of sites', remote('Uninstalled', 'Uninstalled', 'Installed'), 'Installed VpnS2SStatus'],
    ['the router that runs', router('Installed', true), 'True'],
    [
      'one that does not',
      router('Installed', false),
      'False the service RemoteAccess does not run',
    ],
    ['none', router('Uninstalled', true), 'False RoutingOnly is Uninstalled'],
    ['a value of the registry', value(`'C:\\k'`, 'String'), 'String C:\\k'],
    ['bytes', value('[byte[]](1, 255)', 'Binary'), 'Binary 1 255'],
    ['no value', value('$null', 'String'), 'nothing'],
    [
      'a check that passes',
      check('fail', true),
      'info memory preflight ok too small; ok too small; fail True',
    ],
    [
      'one that fails',
      check('fail', false),
      'fail memory preflight fail too small; fail too small; fail False',
    ],
    [
      'one that warns',
      check('warn', false),
      'warn memory preflight warn too small; warn too small; warn False',
    ],
    ['quietly: a warning', check('warn', false, true), 'warn False'],
    ['a pass', check('fail', true, true), 'fail True'],
    [
      'a failure',
      check('fail', false, true),
      'fail memory preflight fail too small; fail too small; fail False',
    ],
    [
      'a network that HNS does not restore',
      reset(true, '$null'),
      'first; hns; the network is removed',
    ],
    ['one that it does', reset(true, `'second'`), 'first; hns; second; the network is removed'],
    [
      'HNS that stays away',
      reset(false, '$null'),
      'first; hns; the service hns does not answer after its restart',
    ],
    ['a service that winnode created', service('$null'), 'deleted; True'],
    [
      'an earlier one',
      service('@{ ImagePath = 1 }'),
      'stopped; DependOnService,Description,DisplayName,Environment,ImagePath; False',
    ],
    ['the folder of images', folder(`version = 2\nroot = "C:\\\\images"`), 'C:\\images|'],
  ])
})

scenario('what Reset restores and leaves, and smaller functions', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  /** Two parts; the first of them asks for a restart. */
  const reset = (
    kind: string,
    { noted = true, begun = true, asks = false, detail = '', restart = '' } = {},
  ): string => `function Get-NodeMemoryCommand { Get-Command -Name Restore-NodeTest }
    function Restore-NodeTest { param($Step) if ('${detail}') { Write-NodeDetail -Text '${detail}' }; $${String(asks)} -and $Step['id'] -eq 'a' }
    function Test-NodeStateSaved { $${String(noted)} }
    function Test-NodeJoinBegun { $${String(begun)} }
    function Get-NodePart { @{ id = 'a' }; @{ id = 'b' } }
    function Get-NodeStateKey { param($Step) $Step['id'] }
    function Get-NodeRestart { '${restart}' }
    function Add-NodeRestart { param($Id) $script:Said += "restart of $Id" }
    function Save-NodeState { $script:Said += 'saved' }
    $script:Said = @()
    ${inRun(
      `Log = ''; Details = @(); Secrets = @(); State = @{ before = @{ a = 1; b = 2 } }`,
      `$found = Reset-NodeStep -Step @{ id = 's'; kind = '${kind}' }
      (@($script:Said) + "$($found.state) $($found.restart) $($found.detail)".Trim() + $script:Run.State['before'].Count) -join '; '`,
    )}`
  const demand = (kind: string): string => `function Test-NodeSameBoot { $false }
    function Get-NodeBootTime { 'boot' }
    function Save-NodeState { }
    function Get-NodeRegistryData { 3 }
    function Invoke-NodePhase { param($Step) $script:Started = @($Step | ForEach-Object -Process { $_['name'] }); $true }
    function Get-NodePhaseStep {
      @{ kind = 'serviceRunning'; name = 'kubelet' }; @{ kind = '${kind}'; name = 'kubelet' }
    }
    $script:Started = @()
    ${inRun(
      `State = @{ looped = '' }; Document = @{ steps = @(@{ kind = 'serviceStart'; start = 'demand'; name = 'kubelet' }) }`,
      `Start-NodeOnDemand; "$script:Started"`,
    )}`
  const edit = (
    pointer: string,
  ): string => `$document = ConvertFrom-NodeJson -Text '{"a":{"b":["x",{"m":"y"}]},"c/d":"z"}'
    try { Edit-NodeJson -Document $document -Pointer '${pointer}' -Value 'new'; (ConvertTo-NodeJson -InputObject $document) -replace '\\s' } catch { "$_" }`
  await each(t, host, '', [
    ['both parts', reset('file'), 'saved; saved; Changed False; 0'],
    [
      'a restart of the first',
      reset('file', { asks: true }),
      'restart of s; saved; restart of s; saved; Changed True; 0',
    ],
    ['a part that is kept', reset('file', { detail: 'kept: used' }), 'Kept False kept: used; 2'],
    [
      'what an administrator created',
      reset('file', { noted: false }),
      'Unchanged False not changed by winnode; 2',
    ],
    [
      'a reboot that is pending',
      reset('file', { noted: false, restart: 's' }),
      'Waiting True restart pending; 2',
    ],
    [
      'a network before a join',
      reset('hnsNetwork', { noted: false, begun: false }),
      'Unchanged False not changed by winnode; 2',
    ],
    ['none', reset('hnsNetwork', { noted: false }), 'Unchanged False; 2'],
    [
      'one that a program has made',
      reset('hnsNetwork', { noted: false, detail: 'removed' }),
      'Changed False removed; 2',
    ],
    ['what no Reset touches', reset('route'), 'Unchanged False nothing to reset; 2'],
    ['a service on demand', demand('serviceRunning'), 'kubelet kubelet'],
    ['not what else has its name', demand('file'), 'kubelet'],
    ['a value of a list', edit('/a/b/0'), '{"a":{"b":["new",{"m":"y"}]},"c/d":"z"}'],
    ['of a map in a list', edit('/a/b/1/m'), '{"a":{"b":["x",{"m":"new"}]},"c/d":"z"}'],
    ['of a key with a slash', edit('/c~1d'), '{"a":{"b":["x",{"m":"y"}]},"c/d":"new"}'],
    ['of a new key', edit('/a/n'), '{"a":{"b":["x",{"m":"y"}],"n":"new"},"c/d":"z"}'],
    ['of nothing', edit('/e/f'), '/e/f: not found in the document'],
    [
      'ports that netsh.exe excludes',
      `function Invoke-Native {
        '', 'Protocol tcp Port Exclusion Ranges', '', 'Start Port    End Port', '----------    --------'
        '     50000       50059     *', '     49692       49791', '', '* - Administered port exclusions.'
      }
      @(Get-NodeExcludedPort -Protocol tcp | ForEach-Object -Process { "$($_.From)-$($_.To) $($_.Administered)" }) -join '; '`,
      '50000-50059 True; 49692-49791 False',
    ],
    [
      'a folder with any access list, and with another one than expected',
      `function Test-Path { $true }
      function Get-NodeAccess { 'SYSTEM' }
      function ConvertTo-NodeAccess { param($Sddl) $Sddl }
      ${inRun(
        'Details = @()',
        `@(foreach ($sddl in $null, 'SYSTEM', 'Users') { Test-NodeDirectory -Step @{ path = 'C:\\k'; sddl = $sddl } }) -join '; '`,
      )}`,
      'True; True; False',
    ],
    [
      'the pauses between attempts of a download',
      `function Receive-NodePart { $script:Tried++; throw 'closed' }
      function Test-NodeFatal { $false }
      function Write-NodeLog { }
      function Read-NodeClock { param($After) $script:Pauses += $After }
      $script:Tried = 0
      $script:Pauses = @()
      $failure = try { Receive-NodeFile -Url 'https://example.com/a' -LiteralPath 'C:\\a' } catch { "$_" }
      "$failure; $script:Tried with pauses of $script:Pauses"`,
      'https://example.com/a cannot be downloaded, 5 attempts: closed; 5 with pauses of 1 2 4 8',
    ],
    ...(
      [
        ['ok', 'fail', 'True fail 1'],
        ['fail', 'fail', 'False fail 1'],
        ['fail', 'unknown', 'False fail 0'],
        ['fail', 'ok', 'True ok 0'],
      ] as const
    ).map(([before, now, expected]): Row => [
      `a check that was ${before}, and is ${now}`,
      `function Get-NodeHealth { [ordered]@{ id = 'disk'; kind = 'disk'; verdict = '${now}'; evidence = ''; remedy = '' } }
      function Write-NodeLog { }
      function Write-NodeEvent { }
      function Save-NodeState { }
      ${inRun(
        `Doubtful = $false; Checks = @(); State = @{ health = @{ disk = '${before}' }; doubts = @() }`,
        `$failed = @(Save-NodeHealth); "$($script:Run.Doubtful) $($script:Run.State['health']['disk']) $($failed.Count)"`,
      )}`,
      expected,
    ]),
    ['a file that is missing', `Get-NodeDigest -LiteralPath 'C:\\none'`, ''],
    [
      'a file that is restored has its access list',
      `$digest = 'a' * 64
      $null = New-Item -ItemType Directory -Path 'C:\\state\\backup'
      Set-Content -LiteralPath "C:\\state\\backup\\$digest" -Value 'theirs' -NoNewline
      Set-Content -LiteralPath 'C:\\theirs.conf' -Value 'ours' -NoNewline
      function Set-NodeOwner { }
      function Initialize-NodeFolder { }
      $script:List = 'no list'
      function Protect-NodePath { param($LiteralPath, $Sddl) $script:List = "$LiteralPath has $Sddl" }
      ${inRun(
        `Document = @{ paths = @{ state = 'C:\\state' } }`,
        `Restore-NodePath -LiteralPath 'C:\\theirs.conf' -Before @{ sha256 = $digest; sddl = 'D:P' }
        "$(Get-Content -LiteralPath 'C:\\theirs.conf'); $script:List"`,
      )}`,
      'theirs; C:\\theirs.conf has D:P',
    ],
    [
      'the state, and the one before it',
      `$file = 'C:\\state.json'
      ${inRun(
        `StateFile = 'C:\\state.json'; StateText = 'before'; State = @{ a = 1 }`,
        'Save-NodeState; $script:Run.State = @{ b = 2 }; Save-NodeState',
      )}
      @(foreach ($name in $file, "$file.good") { (Read-NodeText -LiteralPath $name) -replace '\\s' }) -join '; '`,
      '{"b":2}; before',
    ],
  ])
})

scenario('what a health check finds', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const bgp = (second: string): string => `function Get-BgpPeer {
      '192.0.2.1', '192.0.2.2' | ForEach-Object -Process { [pscustomobject]@{ PeerIPAddress = $_ } }
    }
    function Get-NetTCPConnection {
      [pscustomobject]@{ State = 'Established'; LocalPort = 50000; RemotePort = 179; RemoteAddress = '192.0.2.1' }
      [pscustomobject]@{ State = '${second}'; LocalPort = 179; RemotePort = 50000; RemoteAddress = '192.0.2.2' }
    }
    ${verdict('Get-NodeBgpHealth')}`
  const log = (size: string, minutes: number): string => `function Test-NodeServiceActive { $true }
    function Get-NodeLogStep {
      @{
        kind = 'service'; name = 'kubelet'; command = @(@{ text = 'C:\\k\\kube-log-runner.exe' })
        log = @{ path = 'C:\\kubelet.log'; maxSizeMiB = 1 }
      }
    }
    [System.IO.File]::WriteAllBytes((Resolve-NodePath -LiteralPath 'C:\\kubelet.log'), [byte[]]::new(${size}))
    (Get-Item -LiteralPath 'C:\\kubelet.log').LastWriteTimeUtc = (Read-NodeClock).AddMinutes(-${minutes})
    @(Get-NodeClosedLog) -join ' '`
  await each(t, host, '', [
    ['addresses of a Service', backend(`clusterIP = '10.96.0.10'`), '10.0.0.1 10.0.0.2'],
    ['of its IP family', backend(`clusterIP = 'fd00::10'`), 'fd00::1 fd00::2'],
    ['of its port', backend(`clusterIP = '10.96.0.10'`, 'metrics'), ''],
    [
      'of this node',
      backend(`clusterIP = '10.96.0.10'; internalTrafficPolicy = 'Local'`),
      '10.0.0.1',
    ],
    ['peers', bgp('Established'), 'ok: 2 of 2 BGP peers connected'],
    [
      'a peer that does not answer',
      bgp('SynSent'),
      'warn: 1 of 2 BGP peers connected; not 192.0.2.2',
    ],
    ...(['127.0.0.1', '::1'] as const).map((address): Row => [
      `healthz at ${address}`,
      `function Read-NodeListener { param($Address, $Port, $Path) @{ Code = 200; Text = ([uri]"http://$($Address):$Port$Path").Port } }
        ${verdict(`Get-NodeListenerHealth -Need @{ address = '${address}'; port = 10248 }`)}`,
      `ok: http://${address === '::1' ? '[::1]' : address}:10248/healthz: 200 10248`,
    ]),
    [
      'a kube-proxy that does not answer, and the network that it waits for',
      `function Get-NodeListenerHealth { ConvertTo-NodeVerdict -Verdict fail -Evidence 'refused' }
      function Get-NodeHnsNetwork { param([Parameter(Mandatory)] [string] $Name) }
      @(foreach ($network in '', 'cbr0') { ${verdict('Get-NodeProxyHealth -Need @{ network = $network }')} }) -join '; '`,
      'fail: refused; fail: refused; kube-proxy waits for the HNS network cbr0',
    ],
    [
      'a token that is gone',
      verdict(`Get-NodeTokenHealth -Need @{ paths = @('C:\\none.token') }`),
      'fail: C:\\none.token not found',
    ],
    [
      'one that expires',
      // Each three of them are a 63 and a 62 in base64, which base64url writes as _ and -.
      `$token = '${token({ iat: 1_800_000_000, exp: 1_800_003_600, aud: '???>>>' })}'
      Set-Content -LiteralPath 'C:\\a.token' -Value $token
      $time = Get-NodeTokenTime -LiteralPath 'C:\\a.token'
      '{0:u} {1:u}' -f $time.From, $time.Until`,
      '2027-01-15 08:00:00Z 2027-01-15 09:00:00Z',
    ],
    [
      'one of a Secret, which does not expire',
      `Set-Content -LiteralPath 'C:\\secret.token' -Value '${token({ iss: 'kubernetes/serviceaccount' })}'
      ${verdict(`Get-NodeTokenHealth -Need @{ paths = @('C:\\secret.token') }`)}`,
      'ok: C:\\secret.token has no expiry',
    ],
    [
      'one that does not say since when',
      `Set-Content -LiteralPath 'C:\\other.token' -Value '${token({ exp: 1_800_003_600 })}'
      function Read-NodeClock { [datetime]::new(2027, 1, 1) }
      ${verdict(`Get-NodeTokenHealth -Need @{ paths = @('C:\\other.token') }`)}`,
      'ok: C:\\other.token valid until 2027-01-15 09:00 UTC',
    ],
    [
      'one that is gone, and one that soon expires',
      `Set-Content -LiteralPath 'C:\\late.token' -Value '${token({ iat: 1_800_000_000, exp: 1_800_003_600 })}'
      function Read-NodeClock { [DateTimeOffset]::FromUnixTimeSeconds(1800003500).UtcDateTime }
      @(foreach ($paths in @(, @('C:\\late.token')) + @(, @('C:\\none.token', 'C:\\late.token'))) {
          (Get-NodeTokenHealth -Need @{ paths = $paths }).Verdict
        }) -join ' '`,
      'warn fail',
    ],
    [
      'one that PowerShell wrote, of which client-go sends each byte',
      `Set-Content -LiteralPath 'C:\\wide.token' -Value '${token({ exp: 1_800_003_600 })}' -Encoding unicode
      $sent = Get-HostToken -Login @{ TokenFile = 'C:\\wide.token' }
      "$($sent.StartsWith('e')) $(${verdict(`Get-NodeTokenHealth -Need @{ paths = @('C:\\wide.token') }`)})"`,
      'False fail: C:\\wide.token is UTF-16, expected ASCII: write it with Out-File -Encoding ascii',
    ],
    ...(
      [
        ['ascii', 'True all files exist'],
        ['utf8BOM', 'False all files exist; C:\\flannel.key is UTF-8 with a mark, expected ASCII'],
        [
          'bigendianunicode',
          'False all files exist; C:\\flannel.key is big-endian UTF-16, expected ASCII',
        ],
      ] as const
    ).map(([encoding, expected]): Row => [
      `a key in ${encoding}`,
      `Set-Content -LiteralPath 'C:\\flannel.key' -Value 'pem' -Encoding ${encoding}
      function Get-NodeClusterNeed { @{ flannelKey = 'C:\\flannel.key'; flannelCertificate = 'C:\\none.crt' } }
      ${inRun(
        `Details = @(); Elsewhere = $false; Token = ''; Document = @{ steps = @() }`,
        `"$(Test-NodeFilePresent -Need @{ paths = @() }) $(Read-NodeDetail)" -replace ':[^:]*ascii$'`,
      )}`,
      expected,
    ]),
    ['a full log that was just written', log('1MB', 59), ''],
    ['and an hour ago', log('1MB', 61), 'kubelet'],
    ['a log with room', log('1KB', 61), ''],
  ])
})

scenario('what HNS leaves out of networks and endpoints', async (t, { host }) => {
  const begin = `Initialize-NodeRun -Path 'C:\\'
    function Test-NodeHnsPresent { $true }
    function Get-HnsNetwork {
      [CmdletBinding()] param()
      [pscustomobject]@{ ID = 'nameless' }
      [pscustomobject]@{ ID = 'n'; Name = 'cbr0'; Type = 'L2Bridge'; ManagementIP = '192.0.2.10' }
    }
    function Get-HnsEndpoint {
      [CmdletBinding()] param()
      [pscustomobject]@{ ID = 'alone' }
      [pscustomobject]@{ ID = 'nameless'; VirtualNetwork = 'n' }
      [pscustomobject]@{ ID = 'e'; VirtualNetwork = 'n'; Name = 'cbr0_ep'; IPAddress = '10.244.1.2' }
    }
    function Get-HnsPolicyList { [CmdletBinding()] param() }
    function Remove-HnsPolicyList { [CmdletBinding()] param([Parameter(ValueFromPipeline)] $Of) process { $script:Gone += $Of.ID } }
    function Remove-HnsEndpoint { [CmdletBinding()] param([Parameter(ValueFromPipeline)] $Of) process { $script:Gone += $Of.ID } }
    function Remove-HnsNetwork { [CmdletBinding()] param([Parameter(ValueFromPipeline)] $Of) process { $script:Gone += $Of.ID } }
    function Get-NodeInterface { [pscustomobject]@{ Forwarding = 'Enabled' } }
    function Get-NetIPAddress { [CmdletBinding()] param($IPAddress) }
    function Get-NodeFact { '10.244.1.2' }
    $script:Gone = @()
    $network = Get-NodeHnsNetwork -Name 'cbr0'`
  const healthy = (endpoint: string): string =>
    verdict(
      `Get-NodeNetworkHealth -Need @{ network = 'cbr0'; type = 'L2Bridge'; endpoint = ${endpoint} }`,
    )
  const text = 'ok: HNS network cbr0, L2Bridge, at 192.0.2.10; endpoint of'
  const makes = (fact: string, own: boolean): string => `function Get-NodeFactEntry { @{ ${fact} } }
    function Invoke-NodeHnsRequest { param($Module, $Type, $Data) $script:Wish = $Data['NetworkAdapterName'] }
    function Write-NodeDetail { }
    function Wait-NodeCondition { param($Seconds, $Condition) & $Condition }
    function Test-NodeOwnAddress { $${String(own)} }
    $said = try {
      Add-NodeHnsNetwork -Module 'hns.psm1' -Name 'cbr0' -Type 'L2Bridge' -Subnet @{ AddressPrefix = '10.244.1.0/24' }
    } catch { "$_" }
    "$script:Wish $said".Trim()`
  const extension = (name: string, enabled: boolean): string =>
    `Test-NodeOvsExtension -Network ([pscustomobject]@{ Extensions = @(
      [pscustomobject]@{ Name = 'Microsoft NDIS Capture'; IsEnabled = $true }
      [pscustomobject]@{ Name = '${name}'; IsEnabled = $${String(enabled)} }
    ) })`
  await each(t, host, begin, [
    [
      'a network whose adapter has lost its address',
      `function Get-HnsNetwork { [CmdletBinding()] param() [pscustomobject]@{ ID = 'n'; Name = 'cbr0'; Type = 'L2Bridge' } }
      ${healthy(`'cbr0_ep'`)}`,
      'fail: HNS network cbr0, L2Bridge, at ; expected L2Bridge with an address',
    ],
    ['a network on the adapter of node.json', makes(`override = 'Ethernet 2'`, true), 'Ethernet 2'],
    ['on any', makes('', true), ''],
    [
      'one that gets no address',
      makes('', false),
      'after 60 s the HNS network cbr0 has no address of this machine',
    ],
    ['a switch with Open vSwitch', extension('Open vSwitch Extension', true), true],
    ['where it is disabled', extension('Open vSwitch Extension', false), false],
    ['without it', extension('Other Extension', true), false],
    ['the endpoint of the host', healthy(`'cbr0_ep'`), `${text} cbr0_ep at 10.244.1.2`],
    [
      'the endpoint of the source VIP',
      healthy('$null'),
      `${text} the source VIP 10.244.1.2 at 10.244.1.2`,
    ],
    [
      'the trace of a network',
      `Get-NodeNetworkText -Name 'cbr0'`,
      'n L2Bridge 192.0.2.10 False 10.244.1.2 Enabled Enabled',
    ],
    ['the bridge', '(Get-NodeBridgeEndpoint -Network $network).ID', 'e'],
    [
      'a removal',
      `Remove-NodeHnsNetwork -Network $network; $script:Gone -join ' '`,
      'nameless e n',
    ],
    [
      'of its load balancers: not one with an endpoint of another network, or with none',
      `function Get-HnsPolicyList {
        [CmdletBinding()] param()
        [pscustomobject]@{ ID = 'own'; References = '/endpoints/e', '/endpoints/nameless' }
        [pscustomobject]@{ ID = 'both'; References = '/endpoints/e', '/endpoints/alone' }
        [pscustomobject]@{ ID = 'none' }
      }
      Remove-NodeHnsNetwork -Network $network
      $script:Gone -join ' '`,
      'own nameless e n',
    ],
    [
      'what cannot be listed is not missing',
      `function Get-HnsPolicyList { [CmdletBinding()] param() Write-Error -Message 'no lists' }
      $said = @(try { Get-NodeLoadBalancer } catch { "$_" })
      function Get-HnsEndpoint { [CmdletBinding()] param() Write-Error -Message 'no endpoints' }
      $said += try { Get-NodeBridgeEndpoint -Network $network } catch { "$_" }
      function Get-HnsNetwork { [CmdletBinding()] param() Write-Error -Message 'no networks' }
      $said += try { Get-NodeHnsNetwork -Name 'cbr0' } catch { "$_" }
      $said -join '; '`,
      'no lists; no endpoints; no networks',
    ],
    [
      'the address of the node: not one that Windows assigned',
      `function Get-NodeFactEntry { @{} }
      function Get-NodePodInterface { }
      function Test-NodePodAddress { $false }
      function Get-NetIPAddress {
        [CmdletBinding()] param($AddressFamily)
        foreach ($address in '169.254.7.7', '192.0.2.10') {
          [pscustomobject]@{
            InterfaceAlias = 'Ethernet'; InterfaceIndex = 4; IPAddress = $address; SkipAsSource = $false; AddressState = 'Preferred'
          }
        }
      }
      function Get-NetRoute {
        [CmdletBinding()] param($DestinationPrefix)
        [pscustomobject]@{ RouteMetric = 0; InterfaceMetric = 10; InterfaceIndex = 4 }
      }
      ${inRun(`State = @{ joined = $false; address = '' }`, '(Get-NodeAddress).IPAddress')}`,
      '192.0.2.10',
    ],
  ])
})

scenario('what a program on this machine answers', async (t, { host }) => {
  const server = createServer((_, response) => response.writeHead(503).end('not yet'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const asked = `$found = & $script:NodeListener -Address '127.0.0.1' -Port ${port} -Path '/healthz'
    "$($found.Code) $($found.Text)"`
  try {
    t.equal(await inModule(host, asked), '503 not yet')
  } finally {
    server.close()
  }
  t.match(await inModule(host, asked), /^0 .*refused/, 'the reason that there is no answer')
})

scenario('what the loop takes for a change', async (t, { host }) => {
  const seen = `at = '2026-01-02T03:00:00Z'; until = '2026-01-02T03:30:00Z'; boot = ''; traces = @{}`
  const state = `State = @{
      joined = $true; stopped = @(); doubts = @(); restarts = @(); bundle = 'a'; seen = @{ ${seen} }
    }
    Document = @{ sha256 = 'a' }`
  const change = `function Get-NodeSuspension { '' }
    function Test-NodeSameBoot { $true }
    function Get-NodeLogStep { }
    function Read-NodeClock { $now }
    $at = [DateTimeOffset]::new(2026, 1, 2, 3, 0, 0, 0).UtcDateTime
    ${inRun(state, `@(foreach ($minutes in -1, 0, 29, 30, 60) { $now = $at.AddMinutes($minutes); Get-NodeChange }) -join '; '`)}`
  const service = `function Get-NodeServiceStatus { 'Running' }
    function Get-NodeServiceData { param($Name, $Value) @{ Environment = @('A=1', 'B=2'); Start = 2 } }
    @((Get-NodeServiceText -Name 'kubelet').Split(';').Trim() -match '=.|Running') -join '; '`
  t.equal(
    await inModule(host, service),
    'Running; Start=2; Environment=A=1,B=2',
    'a service and its environment',
  )
  const traces = `function Get-NodeDigest { throw 'in use' }
    function Test-Path { $false }
    @(foreach ($trace in 'file C:\\k\\a b.conf', 'access C:\\k') { Read-NodeTrace -Name $trace }) -join '; '`
  t.equal(await inModule(host, traces), 'unknown: in use; ', 'a file that cannot be read, and none')
  t.equal(
    await inModule(host, change),
    'a complete run is due; ; ; the certificate; a complete run is due',
    'a clock that was set back, an hour, a certificate',
  )
})

scenario('what goes wrong halfway', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const left = `@(Get-ChildItem -LiteralPath 'C:\\out' -File | ForEach-Object -Process { "$($_.Name) $($_.Length)" }) -join ' '`
  const fails = (script: string): string => `Clear-NodePath -LiteralPath 'C:\\out'
    $null = New-Item -ItemType Directory -Path 'C:\\out'
    $why = try { ${script} } catch { "$_" }
    "$why; left: $(${left})"`
  const request = (name: string): string => `$pem = {
      param($Text) [System.Convert]::ToBase64String([System.Text.Encoding]::ASCII.GetBytes($Text))
    }
    $subject = 'system:node:${name}'
    $body = & $pem "0$([char]$subject.Length)$subject"
    $spec = @{
      signerName = 'kubernetes.io/kube-apiserver-client-kubelet'
      request = & $pem "-----BEGIN CERTIFICATE REQUEST-----\`n$body\`n-----END CERTIFICATE REQUEST-----"
    }
    Test-NodeRequestOwner -Request @{ spec = $spec } -Name 'node-a'`
  await each(t, host, '', [
    [
      'a report that cannot be packed',
      `function Invoke-Native { throw 'the disk is full' }
      ${fails(`Write-NodeReport -Report ([ordered]@{ kind = '"NodeReport"' }) -Folder 'C:\\out'`)}`,
      'the report cannot be written to C:\\out: the disk is full; use -Destination for another folder; left: ',
    ],
    [
      'an access list that stays as it is',
      `function Protect-NodePath { }
      ${fails(`Write-NodeSecret -LiteralPath 'C:\\out\\join.json' -Content @{ Text = 'secret' }`)}`,
      'C:\\out\\join.json: the access list could not be set; left: join.json 0',
    ],
    [
      'services are noted before they stop, and none stops that may not',
      `$script:Said = @()
      function Get-NodeServiceToStop { 'kubelet', 'containerd' }
      function Assert-NodeRestartLimit { param($Name) if ($Name -eq $refused) { throw 'too often' } }
      function Add-NodeRestartTime { param($Name) $script:Said += "counts $Name" }
      function Save-NodeState { $script:Said += "saves $($script:Run.State['stopped'])" }
      function Close-NodeService { param($Name) throw "$Name hangs" }
      ${inRun(
        `State = @{ stopped = @('kubelet') }`,
        `@(foreach ($refused in '', 'containerd') {
            try { Suspend-NodeService -Name 'containerd' } catch { $script:Said += "$_" }
          })
        $script:Said -join '; '`,
      )}`,
      'counts kubelet; counts containerd; saves kubelet containerd; kubelet hangs; too often',
    ],
    [
      'what a check wrote before it failed is not of the next one',
      `function Invoke-NodeCheck { param($Function, $Pair)
        if ($Pair -eq 'one') { Write-NodeDetail -Text 'half'; throw 'no answer' }
        Write-NodeDetail -Text 'fine'
        $true
      }
      function Add-NodePreflight { param($Id, $Verdict, $Passed, $Message) "$Id $Passed $Message" }
      $checks = 'one', 'two' | ForEach-Object -Process { @{ id = $_; kind = 'a'; verdict = 'warn'; phases = @('any'); with = $_ } }
      ${inRun(`Details = @(); Document = @{ preflight = $checks }`, `@(Invoke-NodePreflight -Phase image) -join '; '`)}`,
      'one False no answer; two True fine',
    ],
    [
      'a service that is paused or stopping stops before it starts',
      `${calls('Close-NodeService', 'Invoke-NodeWithTimeout')}
      function Write-NodeLog { }
      function Wait-NodeCondition { $true }
      function Test-NodeServiceActive { $false }
      function Get-NodeServiceStatus { $state }
      @(foreach ($state in 'Paused', 'StopPending', 'Stopped', 'StartPending') {
          $script:Called = @()
          Open-NodeService -Name 'kubelet' -Seconds 60
          "$script:Called"
        }) -join '; '`,
      'Close-Service Invoke-WithTimeout; Close-Service Invoke-WithTimeout; Invoke-WithTimeout; Invoke-WithTimeout',
    ],
    [
      'a service that Windows deletes later',
      `function Test-Path { $true }
      function Close-NodeService { }
      function Wait-NodeCondition { $false }
      function Invoke-Native {
        param($FilePath, $ArgumentList, $SuccessCode)
        if ($SuccessCode -notcontains $code) { throw "exit code $code" }
      }
      @(foreach ($code in 0, 1060, 1072, 5) { try { Unregister-NodeService -Name 'kubelet' } catch { "$_" } }) -join '; '`,
      'True; True; True; exit code 5',
    ],
    [
      'files about a network: they stay only where the service and its network exist',
      `${calls('Close-NodeService', 'Clear-NodePath', 'Save-NodeState', 'Open-NodeService', 'Add-NodeRestartTime')}
      function Test-NodeServiceStopped { $stopped }
      function Test-NodeRestartLimit { $false }
      function Get-NodeDaemonNetwork { 'cbr0' }
      function Get-NodeHnsNetwork { if ($there) { @{ ID = 'n' } } }
      function Get-NodeHnsProcess { 'hns' }
      $step = @{ name = 'flanneld'; clears = @('C:\\subnet.env'); timeout = 60 }
      ${inRun(
        'State = @{ hns = @{} }; Started = @()',
        `@(foreach ($stopped in $false, $true) {
            foreach ($there in $true, $false) {
              $script:Called = @()
              Start-NodeDaemon -Step $step
              $script:Called -contains 'Clear-Path'
            }
          }) -join ' '`,
      )}`,
      'False True True True',
    ],
    [
      'a condition: each second, and at the end',
      `$script:Looks = 0
      function Read-NodeClock { }
      @(foreach ($at in 1, 4, 5) {
          $script:Looks = 0
          Wait-NodeCondition -Seconds 3 -Condition { ++$script:Looks -ge $at }
        }) -join ' '`,
      'True True False',
    ],
    [
      'a file with a secret, in place of one of an earlier run',
      `function Protect-NodePath { }
      function Get-NodeAccess { 'protected' }
      function ConvertTo-NodeAccess { 'protected' }
      Write-NodeText -LiteralPath 'C:\\join.json' -Text 'a longer text'
      Write-NodeSecret -LiteralPath 'C:\\join.json' -Content @{ Text = 'secret' }
      Read-NodeText -LiteralPath 'C:\\join.json'`,
      'secret',
    ],
    [
      'a file that is replaced: neither while a service uses it, nor with its access list',
      `$script:Called = @()
      ${calls('Set-NodeOwner', 'Suspend-NodeService', 'Set-Acl', 'Move-NodeFile')}
      function Get-NodeServiceUsing { 'kubelet' }
      function Get-Acl { 'list' }
      function Test-Path { $there }
      function Get-NodeAccess { param($LiteralPath) "of $LiteralPath" }
      foreach ($there in $true, $false) { Install-NodeFile -LiteralPath 'C:\\new' -Destination 'C:\\old' }
      "$script:Called"`,
      'Set-Owner Suspend-Service Set-Acl Move-File Set-Owner Move-File',
    ],
    [
      'services that a run has stopped: they start again after one that succeeds',
      `function Resume-NodeService { 'resumed' }
      ${inRun(
        `State = @{ stopped = @('kubelet') }; Message = ''`,
        `@(foreach ($well in $true, $false) { Complete-NodeRun -Well $well; $script:Run.Message }) -join '; '`,
      )}`,
      'resumed; ; stopped until a run succeeds: kubelet',
    ],
    [
      'files of others: neither in exceptions, which may be deep, nor behind links',
      `$null = New-Item -ItemType Directory -Path 'C:\\tree\\a\\pods\\b', 'C:\\tree\\a\\c'
      function Get-NodeDistrust { param($LiteralPath) if ($LiteralPath -like '*\\[bc]') { "$LiteralPath is theirs" } }
      @(Get-NodeUntrustedFile -LiteralPath 'C:\\tree' -Except 'C:\\tree\\a\\pods') -join '; '`,
      'C:\\tree\\a\\c is theirs',
    ],
    [
      'a folder for a report, and those above it',
      `function Get-NodeDistrust { param($LiteralPath) if ($LiteralPath -notlike '*\\a') { $LiteralPath } }
      (@(Get-NodeReportDistrust -LiteralPath 'C:\\tree\\a') | Sort-Object) -join ' '`,
      'C:\\ C:\\tree',
    ],
    [
      'trusted accounts: an unknown one is not the unknown user of this process',
      `function Invoke-Native { 'not known' }
      $script:Maker.Sid = ''
      @(foreach ($who in 'SY', 'S-1-5-32-544', '', 'S-1-1-0', 'S-1-5-21-1-2-3-1001') { Test-NodeTrusted -Who $who }) -join ' '`,
      'True True False False False',
    ],
    [
      'the bundle that is installed, once',
      `function Save-NodeState { 'saved' }
      ${inRun(
        `Document = @{ sha256 = 'a' }; State = @{ bundle = '' }`,
        `(@(Save-NodeBundle) + @(Save-NodeBundle) + $script:Run.State['bundle']) -join ' '`,
      )}`,
      'saved a',
    ],
    [
      'whether a join has begun: a phase after image has changed something',
      `function Get-NodePhaseStep { param($Phase) $Phase | ForEach-Object -Process { @{ phase = $_ } } }
      function Test-NodeStateSaved { param($Step) $Step['phase'] -eq $saved }
      ${inRun(
        'State = @{ joined = $false }',
        `@(foreach ($saved in 'image', 'beforeJoin', 'join', 'afterJoin', 'boot') { Test-NodeJoinBegun }) -join ' '`,
      )}`,
      'False True True True True',
    ],
    [
      'a secret in the details of a step',
      inRun(
        `Secrets = @('swordfish')`,
        `(ConvertTo-NodeStepResult -Step @{ id = 'a'; kind = 'file' } -State Failed -Detail 'token swordfish')['detail']`,
      ),
      'token <hidden>',
    ],
    [
      'what is printed of a step',
      `function Write-NodeLog { param($Level) $Level }
      function Write-NodeRow { param($Place, $State, $Id, $Text) "$State $Id $Text".Trim() }
      ${inRun(
        `Steps = @(); Quiet = $true; Place = ''`,
        `@(foreach ($state in 'Unchanged', 'Changed', 'WouldChange', 'Failed') {
            $result = @{ id = 'a'; state = $state; detail = 'differs'; restart = $true }
            Add-NodeResult -Result $result -Step @{ kind = 'file'; path = 'C:\\a' }
          }) -join '; '`,
      )}`,
      'info; changed a C:\\a; after a restart; info; would change a C:\\a; differs; fail; failed a C:\\a; differs',
    ],
    [
      'what Restore needs of a step, by the file that it changed',
      `function Save-NodeState { }
      ${inRun(
        `State = @{ before = ConvertFrom-NodeJson -Text '{}' }`,
        `$step = [ordered]@{ id = 'a'; kind = 'directory'; path = 'C:\\K'; layers = $true; protocol = 'TCP'; from = @('10.0.0.0/8') }
        Write-NodeBefore -Step $step -Value 1
        $step['path'] = 'c:\\k'
        "$(Test-NodeStateSaved -Step $step) $(Get-NodeBefore -Step $step) $($script:Run.State['before'][0]['step'].Keys)"`,
      )}`,
      'True 1 id kind path layers',
    ],
    [
      'an archive that has one more file than before',
      `function Get-NodeMemoryCommand { }
      function Write-NodeBefore { param($Step, $Value) $Step['path'] }
      ${inRun(
        `State = @{ before = @{ (Get-NodeStateKey -Step @{ kind = 'download'; path = 'C:\\a' }) = 1 } }`,
        `Save-NodeBefore -Step @{ id = 'tools'; kind = 'archive'; members = @(@{ path = 'C:\\a' }, @{ path = 'C:\\b' }) }`,
      )}`,
      'C:\\b',
    ],
    [
      'files of an administrator, of each check',
      inRun(
        `Document = @{ preflight = @('a', 'b' | ForEach-Object -Process { @{ kind = 'filePresent'; with = @(@{ name = 'paths'; value = @($_, "$($_)2") }) } }) }`,
        `@(Get-NodeProvidedPath) -join ' '`,
      ),
      'a a2 b b2',
    ],
    [
      'a run of the loop that ends early',
      `$script:Said = @()
      function Invoke-NodeRun { param($Open, $Kind, $RestartExitCode, $Body) $script:Said += "waits $($Open['Patience'])"; & $Body }
      function Write-NodeLine { }
      function Get-NodeSuspension { '' }
      function Invoke-NodeReconcile { throw 'the disk is full' }
      function Start-NodeNextRun { $script:Said += 'again' }
      ${inRun(
        `Document = @{ name = 'a' }; State = @{ joined = $true }`,
        `foreach ($whatIf in $false, $true) {
          $null = try { Install-Node -Path 'C:\\b' -Phase boot -WhatIf:$whatIf } catch { $script:Said += "$_" }
        }
        $script:Said -join '; '`,
      )}`,
      'waits 0; again; the disk is full; waits 0; the disk is full',
    ],
    [
      'an event log that takes no more: the loop goes on',
      `function Write-NodeEvent { throw 'the log is full' }
      function Write-NodeLog { param($Level) $Level }
      Start-NodeNextRun`,
      'warn',
    ],
    ['its request', request('node-a'), true],
    [
      'the last of its requests counts',
      `function Test-NodeRequestOwner { $true }
      function Invoke-NodeRequest {
        $item = '{{"metadata":{{"name":"{0}","creationTimestamp":"2026-01-0{1}T00:00:00Z"}},"status":{2}}}'
        $denied = '{"conditions":[{"type":"Denied","reason":"no","message":""}]}'
        $items = ($item -f 'csr-2', 2, '{}'), ($item -f 'csr-1', 1, $denied)
        @{ Reason = ''; Problem = ''; Text = '{"items":[' + ($items -join ',') + ']}' }
      }
      (Get-NodeRequestState -Way @{ Token = 't'; Server = 's'; Ca = 'c' } -Name 'node-a').Text`,
      'the CSR csr-2 is pending; to approve it: kubectl certificate approve csr-2',
    ],
    ['of a node whose name begins the same', request('node-ab'), false],
    [
      'what an earlier bundle left, unless this one uses it',
      `function Get-NodeDocumentPath { 'C:\\used' }
      function Get-NodeOrphan {
        'C:\\used', 'C:\\free', 'C:\\held' | ForEach-Object -Process { @{ id = $_; kind = 'file'; path = $_ } }
      }
      function Reset-NodeStep {
        param($Step)
        @{ id = $Step['id']; state = $(if ($Step['id'] -eq 'C:\\held') { 'Failed' } else { 'Changed' }) }
      }
      function Add-NodeResult { param($Result, $Step) $Result['id'] }
      ${inRun(`Place = ''; Message = ''`, `(@(Clear-NodeOrphan) + $script:Run.Message) -join '; '`)}`,
      'C:\\free; left of an earlier bundle until Reset: file C:\\held, file C:\\used',
    ],
  ])
})

scenario('a step that cannot be read', async (t, { host }) => {
  const state = (more: string): string => `function Test-NodeStep { throw 'no answer' }
    function Get-NodeRestart { }
    function Write-NodeLog { }
    ${more}
    $result = Invoke-NodeStep -Step @{ id = 'one'; kind = 'file' } -TestOnly:$testOnly
    $result['state']`
  const kubeadm = (version: string): string => `$rows = @(Get-NodeKubeadmComparison -Asked @{
      Way = @{ Name = 'token' }; Need = @{ kubeadm = '1.36.2'; kubeadmMaxNewer = 1 }
      Answer = @{ data = @{ ClusterConfiguration = "kind: ClusterConfiguration\`n${version}" } }
    })
    "$(@($rows).Count) $($rows | ForEach-Object -Process { $_.State })".Trim()`
  await each(t, host, '', [
    ['a control plane of the minor before', kubeadm('kubernetesVersion: v1.35.4'), '1 same'],
    ['an older one', kubeadm('kubernetesVersion: v1.34.0'), '1 other'],
    ['one that does not say its version', kubeadm(''), '0'],
  ])
  await each(t, host, '$testOnly = $false', [
    ['by Test', state('$testOnly = $true'), 'Unknown'],
    ['by -WhatIf', state('$WhatIfPreference = $true'), 'Unknown'],
    ['by a run that changes the machine', state(''), 'Failed'],
  ])
})

const node = (ready: string, id: string): string =>
  `@{
    addresses = @(@{ type = 'InternalIP'; address = '192.0.2.10' }); nodeInfo = @{ machineID = '${id}'; systemUUID = '' }
    conditions = @(@{ type = 'Ready'; status = '${ready}' })
  }`

scenario('what the cluster has of this node', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const compared = (ready: string, id: string): string => `function Get-NodeFact { 'node-a' }
    function Get-NodeMachineId { @{ machineID = 'node-a'; systemUUID = ''; Address = '192.0.2.10' } }
    $status = ${node(ready, id)}
    (Get-NodeNameComparison -Asked @{ Way = @{ Name = 'token' }; Answer = @{ status = $status } }).State`
  const answers = (
    answer: string,
  ): string => `function Get-NodeJoinStep { @{ kubeconfig = 'kubelet.conf' } }
    function Get-NodeGivenName { 'node-a' }
    function Invoke-NodeKubectl { ${answer} }
    Get-NodeUnreadiness`
  const text = (ready: string): string =>
    `@{ Lasting = $true; Problem = ''; Text = (ConvertTo-NodeJson -InputObject ([ordered]@{ status = ${node(ready, '')} })) }`
  await each(t, host, '', [
    ['this machine, again', compared('True', 'node-a'), 'same'],
    ['another one that runs', compared('True', 'node-b'), 'other'],
    ['another one that is gone', compared('False', 'node-b'), 'same'],
    [
      'an API server is asked only where its CA is known',
      `function Get-NodeJoinStep { @{ kind = 'kubeadmJoin' } }
      function Get-NodeMembership { @{ State = 'none' } }
      function Get-NodeToken { 'token' }
      function Find-NodeAuthority { param($Need, $Way) $Way.Server = 'https://a'; $Way.Ca = $ca }
      @(foreach ($ca in 'pem', '') { $way = Get-NodeClusterConnection -Need @{}; "$($way.Server) $($way.Token)".Trim() }) -join '; '`,
      'https://a token; token',
    ],
    [
      'a token of a kubeconfig, there or in a file, is a secret',
      `Write-NodeText -LiteralPath 'C:\\token' -Text "from file\`n"
      ${inRun(
        'Secrets = @()',
        `foreach ($line in 'token: inline', 'tokenFile: C:\\token', 'tokenFile: C:\\none') {
          Write-NodeText -LiteralPath 'C:\\config' -Text "users:\`n  $line\`n"
          $null = Read-NodeKubeconfig -LiteralPath 'C:\\config'
        }
        $script:Run.Secrets -join '; '`,
      )}`,
      'inline; from file',
    ],
    [
      'the CA of a discovery file, and of one that is gone',
      `function Get-NodeClusterNeed { @{ discoveryFile = $file } }
      function Get-NodeAuthorityDigest { param($Pem) "sum of $Pem" }
      Write-NodeText -LiteralPath 'C:\\discovery' -Text 'certificate-authority-data: cGVt'
      ${inRun(
        'Secrets = @()',
        `@(foreach ($file in 'C:\\discovery', 'C:\\none', '') { "[$(Get-NodeWantedAuthority -Step @{ kind = 'kubeadmJoin' })]" }) -join ' '`,
      )}`,
      '[sum of pem] [] []',
    ],
    [
      'a Node that is not registered, and one that cannot be read',
      `function Invoke-NodeKubectl { @{ Reason = $reason; Problem = 'not found'; Text = '' } }
      @(foreach ($reason in 'NotFound', 'Forbidden') {
          (Read-NodeObject -Member @{ State = 'member'; Path = 'c'; Name = 'a'; Server = 's' }).Problem
        }) -join '; '`,
      'the kubelet has not registered its Node yet; cannot read the Node from s: not found',
    ],
    ['Ready', answers(text('True')), ''],
    ['not Ready', answers(text('False')), 'the Node is not Ready'],
    ['no right to ask', answers(`@{ Lasting = $true; Problem = 'Forbidden' }`), 'Forbidden'],
    ['an API server that is down', answers(`@{ Lasting = $false; Problem = 'EOF' }`), ''],
  ])
})

/** Minutes after a condition was written, what is to be written, and whether it is: since when, and with which heartbeat. */
const condition = (
  minutes: number,
  status: string,
  message: string,
  notes = `[ordered]@{ 'winnode/bundle' = 'a' }`,
): string => `
  function Read-NodeClock { $at.AddMinutes(${minutes}) }
  $at = [DateTimeOffset]::new(2026, 1, 2, 3, 0, 0, 0).UtcDateTime
  $before = [ordered]@{
    type = 'WinNodeHealthy'; status = 'True'; reason = 'A'; message = 'well'
    lastHeartbeatTime = '2026-01-02T03:00:00Z'; lastTransitionTime = '2026-01-01T00:00:00Z'
  }
  $node = [ordered]@{
    metadata = [ordered]@{ name = 'node-a'; annotations = ${notes} }
    status = [ordered]@{ conditions = @([ordered]@{ type = 'Ready' }, $before) }
  }
  ${inRun(
    `Document = @{ nodeDigest = 'a' }`,
    `$writes = Set-NodeCondition -Node $node -Verdict @{ Status = '${status}'; Reason = 'A'; Message = '${message}' }
    $now = @($node['status']['conditions'])
    "$writes $($now.Count) $($now[-1]['lastTransitionTime']) $($now[-1]['lastHeartbeatTime'])"`,
  )}`

scenario('the condition of a Node', async (t, { host }) => {
  const [before, since] = ['2026-01-01T00:00:00Z', '2026-01-02T03:00:00Z']
  await each(t, host, '', [
    ['the same again', condition(59, 'True', 'well'), `False 2 ${before} ${since}`],
    ['an hour later', condition(60, 'True', 'well'), `True 2 ${before} 2026-01-02T04:00:00Z`],
    [
      'after a clock that was ahead',
      condition(-1, 'True', 'well'),
      `True 2 ${before} 2026-01-02T02:59:00Z`,
    ],
    [
      'after its annotations were removed',
      condition(59, 'True', 'well', '$null'),
      `True 2 ${before} 2026-01-02T03:59:00Z`,
    ],
    ['another message', condition(1, 'True', 'better'), `True 2 ${before} 2026-01-02T03:01:00Z`],
    [
      'another status',
      condition(1, 'False', 'ill'),
      'True 2 2026-01-02T03:01:00Z 2026-01-02T03:01:00Z',
    ],
  ])
})

scenario('an update of Windows', async (t, { host }) => {
  const updates = inRun(
    `State = @{ windows = [ordered]@{ installed = '20348.1'; seen = '20348.1' } }`,
    `foreach ($now in '20348.1', '20348.2', '20348.2', '20348.1', '20348.3') { Save-NodeWindowsUpdate }`,
  )
  const events = `function Get-NodeWindows { $now }
    function Save-NodeState { }
    function Write-NodeLog { }
    function Write-NodeEvent { param($Id, $Type, $Text) $Text }`
  t.strictSame(
    await inModule(host, `${events}\n${updates}`),
    ['2', '3'].map((to) => `Windows was updated: it is 20348.${to}, and was 20348.1 at Install`),
    'one event for each',
  )
  const saved = inRun(
    `State = @{ windows = [ordered]@{ installed = '20348.1'; seen = '20348.2' } }`,
    `$now = '20348.2'; Save-NodeWindows; Get-NodeWindowsUpdate`,
  )
  t.equal(await inModule(host, `${events}\n${saved}`), '', 'none once Install has run again')
  const earlier = inRun(
    'State = @{ windows = [ordered]@{} }',
    `$now = '20348.2'; Get-NodeWindowsUpdate`,
  )
  t.equal(await inModule(host, `${events}\n${earlier}`), '', 'none where Install did not note it')
})

scenario('times', async (t, { host }) => {
  const suspended = inRun(
    `State = @{ suspended = '2026-01-02T03:00:00Z/2026-01-02T05:00:00Z' }`,
    `@(foreach ($minutes in -1, 0, 119, 120) { $now = $at.AddMinutes($minutes); Get-NodeSuspension }) -join ';'`,
  )
  await each(t, host, '', [
    [
      'as people write them',
      `@('30m', '2h', '7d', '8d', '-1h' | ForEach-Object -Process { ConvertTo-NodeMinute -Text $_ }) -join ' '`,
      '30 120 10080 -1 -1',
    ],
    [
      'a suspension ends, also where the clock is set back',
      `function Read-NodeClock { $now }
      $at = [DateTimeOffset]::new(2026, 1, 2, 3, 0, 0, 0).UtcDateTime
      ${suspended}`,
      ';2026-01-02T05:00:00Z;2026-01-02T05:00:00Z;',
    ],
    [
      'the same start of the machine: within half a minute, and not at the same second of another',
      `function Get-NodeBootTime { '2026-01-02T03:00:00Z' }
      @(foreach ($noted in '', '2026-01-02T03:00:29Z', '2026-01-02T02:59:31Z', '2026-01-02T03:00:30Z', '2026-01-01T03:00:00Z', '2026-01-02T04:00:01Z') {
          Test-NodeSameBoot -Noted $noted
        }) -join ' '`,
      'False True True False False False',
    ],
    [
      'the start of the machine, in UTC',
      `function Invoke-NodeWithTimeout { param($Script, $Seconds) & $Script }
      function Add-NodeReadFailure { param($What, $Why) $Why }
      function Get-CimInstance {
        $local = [pscustomobject]@{} | Add-Member -PassThru -MemberType ScriptMethod -Name ToUniversalTime -Value {
          [DateTimeOffset]::new(2026, 1, 2, 3, 4, 5, 0).UtcDateTime
        }
        [pscustomobject]@{ LastBootUpTime = $local }
      }
      Get-NodeReportStart`,
      '2026-01-02T03:04:05Z',
    ],
  ])
})

scenario('the end of logs and lists', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const put = (name: string, text: string): string =>
    `[System.IO.File]::WriteAllText((Resolve-NodePath -LiteralPath 'C:\\${name}'), "${text}")`
  const end = (text: string, bytes: number): string =>
    `${put('a.log', text)}; Read-NodeTextEnd -LiteralPath 'C:\\a.log' -Bytes ${bytes}`
  const names = ['20260102-100001', '20260102-100003', '20260102-100002', 'old']
  const snapshots = (...rows: readonly string[]): string =>
    `function Invoke-NodeCtr { 'KEY PARENT KIND', '${rows.join(`', '`)}' }
    try { @(Get-NodeSnapshot -Program 'ctr.exe') -join ' ' } catch { "$_" }`
  const program = (script: string): string => `function Resolve-NodeProgram { '/bin/sh' }
    try { Read-NodeProgramOutput -FilePath 'sh' -ArgumentList '-c', '${script}' -Seconds 20 } catch { "$_" }`
  await each(t, host, '', [
    ['whole', end('one`ntwo`n', 100), 'one\ntwo\n'],
    ['without a line that is cut in two', end('secret one`ntwo`n', 8), 'two\n'],
    [
      'firewall profiles that cannot be read',
      `function Get-NodeKindStep { }
      function Get-NetFirewallProfile { [CmdletBinding()] param() Write-Error -Message 'the service is stopped' }
      try { Get-NodeReportFirewall } catch { "$_" }`,
      'the service is stopped',
    ],
    [
      'crictl, whatever the configuration of a user contains',
      `function Read-NodeUnicode {
        param($FilePath, $ArgumentList, $Seconds)
        "$($ArgumentList[0, 2]) $(@($ArgumentList[1, 3] | Select-Object -Unique).Count) $($ArgumentList[6..7])"
      }
      Invoke-NodeCrictl -Program 'crictl.exe' -ArgumentList 'stopp', 'a'`,
      '--runtime-endpoint --image-endpoint 1 stopp a',
    ],
    [
      'lines of Windows',
      `${put('b.log', 'one`r`ntwo`r`n`r`n')}
      @(Get-NodeLogEnd -LiteralPath 'C:\\b.log') -join '|'`,
      'one|two',
    ],
    [
      'properties of an object, one of which it lacks',
      inRun(
        'Secrets = @()',
        `$value = [pscustomobject]@{ Name = 'a'; Subnets = '10.0.0.0/8', '10.1.0.0/16' } |
          ConvertTo-NodeReportValue -Property 'Name', 'Type', 'Subnets'
        "$($value.Keys): $($value.Values)"`,
      ),
      'Name Subnets: a 10.0.0.0/8, 10.1.0.0/16',
    ],
    ['of one long line', end('secret one two', 9), 'one two'],
    [
      'rotated logs: the oldest go',
      `${names.map((name) => put(`Users\\kubelet-${name}.log`, name)).join('\n')}
      @(Get-NodeExcessLog -Log @{ path = 'C:\\Users\\kubelet.log'; maxFiles = 2 }) -join ' '`,
      'C:\\Users\\kubelet-20260102-100001.log',
    ],
    [
      'the last line that shows a problem',
      `function Get-NodeServiceLog { param($Name) if ($Name -eq 'kube-proxy') { 'C:\\p.log' } }
      ${put('p.log', 'first 0x803b0013`nlast 0x803b0013`nother`n')}
      @(Get-NodeSymptom | ForEach-Object -Process { "$($_['id']): $($_['line'])" }) -join '; '`,
      'hns-port: last 0x803b0013',
    ],
    [
      'a list that is too long',
      inRun(
        'Unread = @(); Secrets = @()',
        `$shown = @(Limit-NodeReportItem -What routes -Item @(1..301)).Count
        "$shown; $($script:Run.Unread[0]['why'])"`,
      ),
      '300; only 300 of 301 are in the report',
    ],
    [
      'a secret where a long text is cut off',
      inRun(
        `Secrets = @('swordfish')`,
        `$text = Limit-NodeReportText -Text ('one '.PadRight($script:Limit.ReportValue - 4, '.') + 'swordfish')
        '{0} {1}' -f $text.Length, $text.Substring($text.Length - 9)`,
      ),
      '4099 ..<hid...',
    ],
    [
      'programs, one of which cannot be read',
      `function Get-NodeDigest { param($LiteralPath) if ($LiteralPath -eq 'two') { throw 'in use' }; "sum of $LiteralPath" }
      ${inRun(
        `Unread = @(); Secrets = @()
        Document = @{ steps = @(@{ kind = 'archive'; url = 'https://a'; members = @(@{ path = 'one' }, @{ path = 'two' }) }) }`,
        `$sums = @(Get-NodeReportProgram | ForEach-Object -Process { $_['sha256'] }) -join ', '
        "$sums; $($script:Run.Unread[0]['what'])"`,
      )}`,
      'sum of one, ; two',
    ],
    ['children first', snapshots('a  Committed', 'c b Active', 'b a Committed'), 'c b a'],
    ['a cycle', snapshots('a b Committed', 'b a Committed'), 'the list of snapshots has a cycle'],
    [
      'as many names as a command line holds',
      `$script:Calls = @()
      function Invoke-NodeCtr { param($Program, $ArgumentList) $script:Calls += $ArgumentList.Count - 2 }
      $names = 1..3 | ForEach-Object -Process { "$_" * 9000 }
      Remove-NodeContent -Program 'ctr.exe' -What 'images', 'rm' -Name $names
      $script:Calls -join ' '`,
      '2 1',
    ],
    ['a program that warns', program('echo said; echo warned >&2'), 'said'],
    ['a program that fails', program('echo said; exit 3'), 'exit code 3: said'],
    [
      'a command with a time limit that only reports an error, and one that also answers',
      `@(foreach ($answer in '', "'found'") {
          try { & $script:NodeBeside -Script ([scriptblock]::Create("Write-Error -Message 'no answer'; $answer")) -Seconds 20 } catch { "$_" }
        }) -join '; '`,
      'no answer; found',
    ],
  ])
})

/** State files that cannot be used, and why. */
const faults: Readonly<Record<string, string>> = {
  '"text"': 'it is not an object',
  '{"kind":"NodeResult"}': 'its kind is not NodeState',
  '{"kind":"NodeState","apiVersion":"winnode/v1"}':
    'its apiVersion is winnode/v1, expected winnode/v2',
  '{"later":{}}': 'unknown field later',
  '{"joined":"false"}': 'its field joined is invalid',
  '{"boot":null}': 'its field boot is invalid',
  '{"before":[]}': 'its field before is invalid',
  '{"folders":["C:\\\\k",1]}': 'its field folders is invalid',
  '{"before":{"path x":{"step":{"kind":"none"},"was":null}}}': 'its entry before.path x is invalid',
  '{"before":{"path x":{"step":{"kind":"file"}}}}': 'its entry before.path x is invalid',
  '{"receipts":{"x":{"files":[]}}}': 'its entry receipts.x is invalid',
  '{"joined":true,"before":{"path x":{"step":{"kind":"file"},"was":null}}}': '',
}
const whole = (text: string): string =>
  /^\{(?!"kind)/.test(text)
    ? text.replace('{', '{"kind":"NodeState","apiVersion":"winnode/v2",')
    : text

scenario('the state file', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const inFolder = (script: string): string =>
    inRun(
      `StateFile = 'C:\\state.json'; StateText = ''; Refused = $false; State = [ordered]@{ joined = $true }`,
      script,
    )
  const put = (name: string, text: string): string =>
    `Write-NodeText -LiteralPath 'C:\\${name}' -Text '${text}'`
  const good = '{"kind":"NodeState","apiVersion":"winnode/v2","boot":"old"}'
  await each(t, host, '', [
    ...Object.entries(faults).map(([text, why]): Row => [
      why,
      `"$(Get-NodeStateFault -State (ConvertFrom-NodeJson -Text '${whole(text)}'))"`,
      why,
    ]),
    [
      'nothing is known yet',
      inFolder(
        `$state = Read-NodeState -LiteralPath 'C:\\state.json'; "$($state['boot'])$($state.Count)"`,
      ),
      '23',
    ],
    [
      'a cut while it was replaced',
      inFolder(`${put('state.json.winnode-old', good)}
        (Read-NodeState -LiteralPath 'C:\\state.json')['boot']`),
      'old',
    ],
    [
      'what cannot be used',
      inFolder(`${put('state.json', '{')}
        try { Read-NodeState -LiteralPath 'C:\\state.json' } catch { "$($script:Run.Refused) $_" -replace ';.*' }`),
      'True the state file C:\\state.json cannot be used: invalid JSON after character 1',
    ],
    [
      'the version before a run is kept, and named',
      inFolder(`$script:Run.StateText = 'before'
        $without = Get-NodeStateRemedy
        Save-NodeState
        Save-NodeState
        ($without -replace ',.*'), (Read-NodeText -LiteralPath 'C:\\state.json.good'), ((Get-NodeStateRemedy) -replace ';.*') -join '; '`),
      'Use the winnode version that wrote it; before; C:\\state.json.good is the version before the last run that ' +
        'changed it: copy it to C:\\state.json and rerun',
    ],
  ])
})

scenario('what fails once, or for one of many', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const answers = (deadline: number): string => `$script:Asked = 0
    function Write-NodeRow { }
    ${inRun(
      `Deadline = (Read-NodeClock).AddSeconds(${deadline})`,
      `try {
        Wait-NodeAnswer -Id dns -About name -Question { if (++$script:Asked -lt 3) { throw 'not yet' }; "answer $script:Asked" }
      } catch { "$_ $script:Asked" }`,
    )}`
  const file = (text: string): string =>
    `Write-NodeText -LiteralPath 'C:\\fact' -Text "${text}"
    try { Read-NodeFactFile -Need @{ file = 'C:\\fact' } -Name providerID } catch { "$_" }`
  await each(t, host, '', [
    ['a name that has an address later', answers(60), 'answer 3'],
    ['or too late', answers(1), 'name: not yet 2'],
    [
      'sandboxes: the others are stopped, five at once',
      `function Get-NodePhaseStep { @{ kind = 'hnsNetwork' } }
      function Find-NodeProgram { 'crictl.exe' }
      function Write-NodeLog { }
      function Get-NodePodName { param($Pod) $Pod['id'] }
      function Get-NodeLostSandbox { 1..6 | ForEach-Object -Process { @{ id = "p$_" } } }
      function Read-NodeClock { $script:Stopped += 'waits' }
      function Invoke-NodeCrictl { param($Program, $ArgumentList)
        $script:Stopped += $ArgumentList[-1]
        if ($ArgumentList[-1] -eq 'p2') { throw 'DeadlineExceeded' }
      }
      $script:Stopped = @()
      ${inRun(`Lack = ''; Doubtful = $false`, `Stop-NodeLostSandbox; "$script:Stopped; $($script:Run.Lack)"`)}`,
      'p1 p2 p3 p4 p5 waits p6; sandboxes without an HNS endpoint cannot be stopped: p2: DeadlineExceeded',
    ],
    [
      'none before the plugin has made its network',
      `function Get-NodePhaseStep { @{ kind = 'pluginNetwork'; network = 'cbr0' } }
      function Get-NodeHnsNetwork { }
      function Find-NodeProgram { throw 'not found' }
      @(Stop-NodeLostSandbox).Count`,
      0,
    ],
    [
      'texts and facts, in their order',
      `function Get-NodeFact { param($Name) "<$Name>" }
      Resolve-NodeArgument -Argument @{ text = '--name='; fact = 'nodeName' }, @{ text = '.example.com' }`,
      '--name=<nodeName>.example.com',
    ],
    ['a fact in a file', file('azure:///one`r`n'), 'azure:///one'],
    ['two lines', file('one`ntwo`n'), 'C:\\fact: must contain one line'],
    ['none', file(' `n'), 'C:\\fact: must contain one line'],
    [
      'the name of the machine, as the kubelet writes it',
      `Write-NodeText -LiteralPath 'C:\\name' -Text "Win-Web-1\`n"
      function Get-NodeRegistryData { 'WIN-WEB-2' }
      function Get-NodeFactEntry { $entry }
      @(foreach ($entry in @{ with = @(@{ name = 'file'; value = 'C:\\name' }) }, @{}, @{ override = 'web-3' }) {
          Get-NodeGivenName
        }) -join ' '`,
      'win-web-1 win-web-2 web-3',
    ],
    [
      'requests of processes that have ended',
      `foreach ($name in '1.conf', '2.conf', '1.json', '1.json.winnode-new', '2.json', 'mine', '9999999999.conf') {
        Write-NodeText -LiteralPath "C:\\Users\\request-$name" -Text ''
      }
      function Get-Process { param($Id) if ($Id -eq 2) { 'runs' } }
      ${inRun(
        `Document = @{ paths = @{ state = 'C:\\Users' } }`,
        `Clear-NodeRequestFile; (Get-ChildItem -LiteralPath 'C:\\Users' -Filter 'request-*').Name -join ' '`,
      )}`,
      'request-2.conf request-2.json request-9999999999.conf request-mine',
    ],
    [
      'arguments of kubeadm that the service lacks',
      `function Get-NodeRegistryData { 'C:\\k\\kubelet.exe --v=2 --node-labels=a=b' }
      $null = New-Item -ItemType Directory -Path 'C:\\var\\lib\\kubelet'
      $line = 'KUBELET_KUBEADM_ARGS="--pod-infra-container-image=pause --node-labels=a=b --provider-id=x"'
      Write-NodeText -LiteralPath 'C:\\var\\lib\\kubelet\\kubeadm-flags.env' -Text "$line\`n"
      @(Get-NodeIdleArgument) -join ' '`,
      '--provider-id=x',
    ],
    [
      'restarts within the last hour, by a clock that was set',
      `function Read-NodeClock { [DateTimeOffset]::new(2026, 1, 2, 3, 0, 0, 0).UtcDateTime }
      ${inRun(
        `Quiet = $true; State = @{ starts = @{ kubelet = '2026-01-02T02:00:00Z 2026-01-02T02:00:01Z 2026-01-02T03:00:00Z 2026-01-02T03:00:01Z' } }`,
        `(@(Get-NodeRestartTime -Name kubelet) + (Test-NodeRestartLimit -Name kubelet)) -join ' '`,
      )}`,
      '2026-01-02T02:00:01Z 2026-01-02T03:00:00Z False',
    ],
    [
      'only those by the loop count',
      `function Read-NodeClock { [DateTimeOffset]::new(2026, 1, 2, 3, 0, 0, 0).UtcDateTime }
      ${inRun(
        `State = @{ starts = @{ kubelet = '2026-01-02T02:30:00Z' } }`,
        `@(foreach ($quiet in $false, $true) {
          $script:Run.Quiet = $quiet; Add-NodeRestartTime -Name kubelet; $script:Run.State['starts']['kubelet']
        }) -join '; '`,
      )}`,
      '2026-01-02T02:30:00Z; 2026-01-02T02:30:00Z 2026-01-02T03:00:00Z',
    ],
    [
      'services whose logs are closed: one that cannot be restarted is reported, and does not keep the others',
      `function Get-NodeClosedLog { 'kubelet', 'flanneld' }
      function Get-NodeDaemonStep { param($Name) @{ name = $Name } }
      function Start-NodeDaemon {
        param($Step)
        if ($Step['name'] -eq 'kubelet') { throw 'kubelet did not start' }
        $script:Said = "$($Step['name']) started"
      }
      ${inRun(
        `Lack = ''; Doubtful = $false`,
        `Start-NodeClosedLog; "$script:Said; $($script:Run.Lack); $($script:Run.Doubtful)"`,
      )}`,
      'flanneld started; kubelet did not start; True',
    ],
    [
      'what a dry run asks of the network, once',
      `$script:Asked = 0
      function Write-NodeRow { }
      $WhatIfPreference = $true
      ${inRun(
        `Deadline = (Read-NodeClock).AddSeconds(60)`,
        `try { Wait-NodeAnswer -Id dns -About name -Question { $script:Asked++; throw 'none' } } catch { "$_, asked $script:Asked" }`,
      )}`,
      'name: none, asked 1',
    ],
  ])
})

/** Verdicts of one run after the other: events, checks that fail, and doubts. */
const health = (
  kind: string,
  ...verdicts: readonly string[]
): string => `function Save-NodeState { }
  function Write-NodeLog { }
  function Write-NodeEvent { param($Id, $Type, $Text) $script:Said += "$Type $($Text.Split("\`n")[0])" }
  function Get-NodeHealth {
    [ordered]@{ id = 'one'; kind = '${kind}'; verdict = $verdict; evidence = ''; remedy = '' }
  }
  ${inRun(
    `Checks = @(); Doubtful = $false; State = @{ health = [ordered]@{}; doubts = @() }`,
    `@(foreach ($verdict in '${verdicts.join(`', '`)}') {
      $script:Said = @()
      $failed = @(Save-NodeHealth)
      "$($failed.Count) $($script:Said)$($script:Run.State['doubts'])".Trim()
    }) -join '; '`,
  )}`

scenario('events of health, and exit codes', async (t, { host }) => {
  const code = (steps: string, refusals: string, verdicts: string): string =>
    inRun(
      `Lack = ''; Steps = @(${steps}); Preflight = @(${refusals}); Health = @(${verdicts})`,
      'ConvertTo-NodeExitCode -RestartExitCode 3010',
    )
  const [step, check, found] = [
    (state: string, restart = false): string =>
      `@{ state = '${state}'; restart = $${String(restart)} }`,
    (word: string): string => `@{ verdict = '${word}'; passed = $false }`,
    (word: string): string => `@{ verdict = '${word}' }`,
  ]
  await each(t, host, '', [
    [
      'each change once, and unknown is none',
      health('disk', 'ok', 'fail', 'unknown', 'fail', 'warn', 'ok'),
      '0; 1 Error one: fail, was ok; 0; 1; 0 Warning one: warn, was fail; 0 Information one: ok, was warn',
    ],
    [
      'what moves, in two runs',
      health('services', 'fail', 'ok', 'fail', 'fail', 'ok'),
      '0 one; 0; 0 one; 1 Error one: fail, was ok; 0 Information one: ok, was fail',
    ],
    ['refused', code(step('Failed'), check('fail'), ''), 2],
    ['failed', code(`${step('Different')}, ${step('Failed')}`, '', found('fail')), 1],
    ['different', code(`${step('Unknown')}, ${step('Different')}`, '', found('fail')), 4],
    ['not read', code(step('Unknown'), '', found('fail')), 6],
    ['ill', code(step('Unchanged'), '', `${found('unknown')}, ${found('fail')}`), 7],
    ['not known', code(step('Changed', true), '', found('unknown')), 6],
    ['a restart', code(step('Changed', true), '', found('ok')), 3010],
    ['a restart first', code('', check('restart'), ''), 3010],
    ['well', code(step('Changed'), check('warn'), found('warn')), 0],
  ])
})

scenario('logs, images and disks', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const rotate = (script = ''): string => `function Write-NodeLog { }
    [System.IO.File]::WriteAllText((Resolve-NodePath -LiteralPath 'C:\\Users\\a.log'), ('x' * 1MB) + 'the end')
    ${script}
    Set-NodeLogRotation -Step @{ id = 'log'; path = 'C:\\Users\\a.log'; maxSizeMiB = 1; maxFiles = 2 }
    @(Get-ChildItem -LiteralPath 'C:\\Users' -Filter 'a.log*' | Sort-Object -Property Name |
      ForEach-Object -Process { "$($_.Name) $($_.Length)" }) -join '; '`
  const full = `function Save-NodeLogEnd {
      param($Log, $LiteralPath, $Bytes)
      Write-NodeText -LiteralPath $LiteralPath -Text 'half'
      throw [System.IO.IOException]::new('There is not enough space on the disk.')
    }`
  const referenced = (
    key: string,
  ): string => `Write-NodeText -LiteralPath 'C:\\there.pem' -Text 'pem'
    $found = @{ Path = 'kubelet.conf'; Missing = @(); Text = 'client-key: ${key}' }
    $pem = Read-NodeKubeconfigPart -Found $found -Name 'client-key'
    $pem = Read-NodeKubeconfigPart -Found $found -Name 'client-key'
    "$pem $($found['client-key-path']) $($found.Missing)".Trim()`
  const named = (name: string): string => `function Get-NodeRegistryData { 'NODE-A' }
    $null = [System.IO.Directory]::CreateDirectory((Resolve-NodePath -LiteralPath 'C:\\k'))
    Write-NodeText -LiteralPath 'C:\\k\\kubelet.exe' -Text 'node-a'
    Write-NodeText -LiteralPath 'C:\\k\\file' -Text '${name}'
    ${inRun(`Document = @{ paths = @{ state = 'C:\\none' } }`, `@(Get-NodeNamedFile) -join ' '`)}`
  const vmware = (
    before: string,
  ): string => `Write-NodeText -LiteralPath 'C:\\tools.conf' -Text "${before}"
    (Get-NodeVmwareConfiguration -Step @{ path = 'C:\\tools.conf'; excludeNics = 'veth*' }).Wanted -replace '\\r\\n', '|'`
  const check = (script: string): string =>
    inRun(
      'Details = @(); Preflight = @(); Quiet = $true; Secrets = @()',
      `"$(${script}) $($script:Run.Details)$($script:Run.Preflight | ForEach-Object -Process { $_['passed'] })"`,
    )
  const disk = (type: number, system: string): string =>
    `function Get-CimInstance { [pscustomobject]@{ DriveType = ${type}; FileSystem = '${system}' } }
    ${check(`Test-NodeVolume -Need @{ drive = 'D:' }`)}`
  const revision = (wanted: number): string => `function Get-NodeRevision { 100 }
    ${check(`Test-NodeRevisionAtLeast -Need @{ revision = ${wanted} }`)}`
  const bundle = (digest: string): string =>
    inRun(
      `Document = @{ nodeDigest = 'a' }`,
      `function Add-NodePreflight { param($Id, $Verdict, $Passed, $Message) "$Passed $Message" }
      Assert-NodeBundle -Digest ${digest}`,
    )
  await each(t, host, '', [
    ['its end is kept', rotate(), `a.log 0; a.log.1 ${2 ** 20}`],
    ['one more', rotate(), `a.log 0; a.log.1 ${2 ** 20}; a.log.2 ${2 ** 20}`],
    ['no room for a copy', `${full}\n${rotate()}`, `a.log 0; a.log.2 ${2 ** 20}`],
    [
      'a node name',
      `function Get-NodeFact { $name }
      function Write-NodeDetail { }
      @(foreach ($name in 'a.b-1', ('a' * 63), ('a' * 64), 'A', 'a_b', '-a', 'a..b') { Test-NodeName -Need @{} }) -join ' '`,
      'True True False False False False False',
    ],
    [
      'dynamic ports that are taken: of their range only, each once',
      `function Get-NodeExcludedPort { @{ From = 50000; To = 50063 } }
      function Get-NetTCPConnection {
        [CmdletBinding()] param()
        foreach ($port in 10250, 50010, 51000, 51000) { [pscustomobject]@{ LocalPort = $port; State = 'Listen'; OwningProcess = 7 } }
      }
      function Get-NodeProcessName { 'kubelet' }
      @(foreach ($dynamic in '50000-50767', '50000-50703') {
          ${verdict(`Get-NodePortHealth -Need @{ dynamic = $dynamic; ports = @('10250 kubelet') }`)}
        }) -join '; '`,
      'ok: 10250 kubelet; 64 of 768 dynamic ports in use or reserved, 11 blocks of 64 free; ' +
        'warn: 10250 kubelet; 64 of 704 dynamic ports in use or reserved, 10 blocks of 64 free',
    ],
    ['a file of a kubeconfig', referenced('/there.pem'), 'pem C:\\there.pem'],
    ['one that is missing', referenced('C:\\gone.pem'), 'C:\\gone.pem C:\\gone.pem'],
    [
      'a value of the registry before the first change, by either name of its key',
      `function Backup-NodeRegistryData { param($Key, $Name) "$Key $Name" }
      @(foreach ($key in 'HKLM\\A', 'HKEY_LOCAL_MACHINE\\A') { Backup-NodeRegistryValue -Step @{ key = $key; name = 'b' } }) -join '; '`,
      'HKLM:\\A b; HKLM:\\A b',
    ],
    [
      'what needs a restart, when it is set and when it is restored',
      `function Write-NodeRegistryData { }
      function Restore-NodeRegistryData { }
      function Invoke-Native { }
      $steps = @{ kind = 'pageFile'; path = 'C:\\pagefile.sys'; sizeMiB = 4096 },
      @{ kind = 'bootSetting'; name = 'hypervisorlaunchtype'; value = 'auto' },
      @{ kind = 'registryValue'; key = 'HKLM\\SOFTWARE\\A'; name = 'a'; type = 'DWord'; value = '1'; restart = 'maybe' },
      @{ kind = 'registryValue'; key = 'HKLM\\SOFTWARE\\A'; name = 'a'; type = 'DWord'; value = '1'; restart = 'never' }
      @(foreach ($step in $steps) {
          $noun = $script:StepKind[$step['kind']].Noun
          & "Set-$noun" -Step $step
          & "Restore-$noun" -Step $step -Before @{ there = $true; value = 'off' }
        }) -join ' '`,
      'True True True True True True False False',
    ],
    [
      'dynamic ports before the first change, and whether they differ',
      `function Get-NodeDynamicPort { @{ From = 49152; To = 65535 } }
      ${inRun('Details = @()', `"$((Backup-NodeDynamicPort)['ports']) $(Test-NodeDynamicPort -Step @{ ports = '49152-65000' }) $($script:Run.Details)"`)}`,
      '49152-65535 False is 49152-65535, expected 49152-65000',
    ],
    [
      'dependencies of a service, and none',
      `function Test-Path { $there }
      function Edit-NodeServiceControl { param($Name, $Change) $list = $Change['ServiceDependencies']; $script:Said += "changed $($list.Count) '$list'" }
      function New-Service { [CmdletBinding()] param($Name, $BinaryPathName, $StartupType, $DependsOn) $script:Said += "new '$DependsOn'" }
      function Clear-NodeRegistryData { }
      $script:Said = @()
      foreach ($there in $true, $false) {
        foreach ($needs in @('a', 'b'), @()) {
          Write-NodeService -Name 'kubelet' -Wish @{ ImagePath = 'k'; DisplayName = ''; Description = ''; Start = 2; DependOnService = $needs }
        }
      }
      $script:Said -join '; '`,
      // An empty list would leave the dependencies as they are.
      "changed 2 'a b'; changed 1 ''; new 'a b'; new ''",
    ],
    [
      'when the loop runs',
      `function Get-NodeFact { 'node-a' }
      function Get-NodeFailureQuery { 'failed' }
      function Get-NodeAgainQuery { 'again' }
      function ConvertTo-NodeEventTrigger { param($Query, $Delay) "$Query $Delay".Trim() }
      function New-ScheduledTaskTrigger {
        [CmdletBinding()] param([switch] $AtStartup, [switch] $Once, $At, $RandomDelay, $RepetitionInterval)
        "$AtStartup $RandomDelay $RepetitionInterval $(if ($At) { $At.Year })".Trim()
      }
      @(Get-NodeLoopTrigger) -join '; '`,
      'True; False 00:02:00 00:30:00 2000; failed; again PT2M',
    ],
    [
      'a service of another program, with nssm: all that is written is restored, and what is new is removed',
      `function Edit-NodeServiceControl { }
      function Set-Service { }
      function Close-NodeService { }
      function Get-NodeExpectedService {
        [ordered]@{ DisplayName = ''; Description = 'ours'; Start = 2; DependOnService = @(); Environment = @('A=2'); ImagePath = 'nssm'
          'Parameters\\Application' = 'ours'; 'Parameters\\AppStdout' = 'ours' }
      }
      $step = @{ name = 'theirs' }
      $null = New-Item -Path "$script:Services\\theirs" -Force
      $theirs = @{ Environment = @('A=1', 'B=2'); 'Parameters\\Application' = 'theirs' }
      foreach ($path in $theirs.Keys) { Write-NodeServiceData -Name 'theirs' -Path $path -Value $theirs[$path] }
      $before = Backup-NodeService -Step $step
      Write-NodeService -Name 'theirs' -Wish (Get-NodeExpectedService)
      $null = Restore-NodeService -Step $step -Before $before -Confirm:$false
      $after = Get-NodeServiceData -Name 'theirs' -Value 'Environment', 'Parameters\\Application', 'Parameters\\AppStdout'
      "$($after.Values | ForEach-Object -Process { $_ }) $(Backup-NodeService -Step @{ name = 'none' })".Trim()`,
      'A=1 B=2 theirs',
    ],
    [
      'data of a service in its key, and of nssm below it',
      `function Clear-NodeRegistryData { param($Key, $Name) $script:Said += "no $(Split-Path -Leaf $Key) $Name" }
      function Write-NodeRegistryData { param($Key, $Name, $Type, $Value) $script:Said += "$(Split-Path -Leaf $Key) $Name $Type $Value" }
      $script:Said = @()
      Write-NodeServiceData -Name 'kubelet' -Path 'Environment' -Value @('A=1', 'B=2')
      foreach ($value in 'C:\\k', 5, @(), $null) { Write-NodeServiceData -Name 'kubelet' -Path 'Parameters\\A' -Value $value }
      $script:Said -join '; '`,
      'kubelet Environment MultiString A=1 B=2; Parameters A String C:\\k; Parameters A DWord 5; no Parameters A; no Parameters A',
    ],
    ['the name of the machine', named('name: node-a'), 'C:\\k\\file'],
    ['part of another name', named('my-node-a node-ab node-a-b'), ''],
    [
      'a provider ID, and an answer that is none',
      `function Get-NodeFact { $id }
      function Write-NodeDetail { }
      @(foreach ($id in 'aws:///eu-west-1a/i-0', 'see https://a/b', '<html>http://a', 'azure:// a', 'i-0') { Test-NodeProviderID }) -join ' '`,
      'True False False False False',
    ],
    [
      'keys that were created: one with a value of others stays, with those above it',
      `$keys = 'HKLM:\\SOFTWARE\\Made', 'HKLM:\\SOFTWARE\\Made\\Empty', 'HKLM:\\SOFTWARE\\Made\\Full'
      foreach ($key in $keys) { $null = New-Item -Path $key -Force }
      Set-ItemProperty -LiteralPath $keys[2] -Name 'theirs' -Value 1
      function Clear-NodeCreatedFolder { }
      function Remove-NodeCreated { }
      ${inRun(
        `State = @{ registryKeys = $keys }`,
        `Clear-NodeCreated; @($keys | ForEach-Object -Process { Test-Path -LiteralPath $_ }) -join ' '`,
      )}`,
      'True False True',
    ],
    [
      'in the folder of winnode, too',
      `function Get-NodeRegistryData { 'NODE-A' }
      $null = New-Item -ItemType Directory -Path 'C:\\state'
      Write-NodeText -LiteralPath 'C:\\state\\state.json' -Text 'node-a'
      ${inRun(`Document = @{ paths = @{ state = 'C:\\state' } }`, `@(Get-NodeNamedFile) -join ' '`)}`,
      'C:\\state\\state.json',
    ],
    ['no settings', vmware(''), '[guestinfo]|exclude-nics=veth*|'],
    [
      'other settings',
      vmware('[log]`nexclude-nics=a`n[guestinfo]`nexclude-nics=b`nx=y`n'),
      '[log]|exclude-nics=a|[guestinfo]|exclude-nics=veth*|x=y|',
    ],
    ['a disk', disk(3, 'NTFS'), 'True D: is NTFS, expected a local disk with NTFS'],
    ['a disc', disk(5, 'NTFS'), 'False D: is not a local disk, expected a local disk with NTFS'],
    [
      'none',
      `function Get-CimInstance { }
      ${check(`Test-NodeVolume -Need @{ drive = 'D:' }`)}`,
      'False drive D: not found; attach and format the disk first',
    ],
    ['ReFS', disk(3, 'ReFS'), 'False D: is ReFS, expected a local disk with NTFS'],
    ['a patch', revision(100), 'True the revision of Windows is 100, expected 100 or later'],
    ['an older one', revision(101), 'False the revision of Windows is 100, expected 101 or later'],
    [
      'another folder of images: with pods only with -Force, unless it is gone',
      `function Get-NodeImageFolder { 'C:\\was' }
      function Test-Path { $there }
      function Get-NodeWorkload { 'default/web' }
      @(foreach ($there in $true, $false) {
          ${inRun('Details = @(); Force = $false', `"$(Test-NodeImageFolder -Need @{ configuration = 'c'; root = 'C:\\new' }) $($script:Run.Details)"`)}
        }) -join '; ' -replace ', stop.*-Force: ', ' '`,
      'False images are pulled again to C:\\new; C:\\was is not deleted; containerd would lose track of these pods default/web; ' +
        'True images are in C:\\new',
    ],
    [
      'files beside a configuration of the network, each once',
      `$null = New-Item -ItemType Directory -Path 'C:\\cni\\net.d\\below'
      Write-NodeText -LiteralPath 'C:\\cni\\net.d\\10-a.conf' -Text 'abc'
      ${inRun(
        `Document = @{ steps = @(@{ path = 'C:\\cni\\net.d' }, @{ path = 'C:\\cni\\net.d\\10-a.conf' }, @{ path = 'C:\\cni\\net.data' }) }`,
        `@(Get-NodeReportFolder | ForEach-Object -Process { "$($_['path']) $($_['bytes'])" }) -join '; '`,
      )}`,
      'C:\\cni\\net.d\\10-a.conf 3',
    ],
    [
      'networks of plugins',
      `Initialize-NodeRun -Path 'C:\\'
      function Test-NodeHnsPresent { $true }
      function Get-HnsNetwork {
        'Overlay', 'NAT', 'Transparent', 'ICS' | ForEach-Object -Process { [pscustomobject]@{ Name = "my $_"; Type = $_ } }
      }
      @(Get-NodePodNetwork) -join ', '`,
      'my Overlay, my Transparent',
    ],
    ['the bundle of the image', bundle('a'), "True the bundle's nodeDigest is a"],
    [
      'another one',
      bundle('b'),
      "False the bundle's nodeDigest is a, expected b: create the image from that bundle",
    ],
  ])
})

scenario('parts of Windows that few machines have', async (t, { host }) => {
  const remote = (before: string, others: string): string => `function Get-NodeRemoteAccess {
      [ordered]@{ routing = 'Installed'; others = @(${others}) }
    }
    function Uninstall-RemoteAccess { $script:Said += 'uninstalled' }
    $script:Said = @()
    ${inRun('Details = @()', `Restore-NodeRemoteAccess -Step @{ vpnType = 'RoutingOnly' } -Before @{ routing = '${before}' }; "$script:Said$($script:Run.Details)"`)}`
  const room = (size: number, used: number, largest: number): string => `function Get-Partition {
      [pscustomobject]@{ DiskNumber = 0; Size = ${used} * 1GB }
    }
    function Get-Disk { [pscustomobject]@{ Size = ${size} * 1GB; AllocatedSize = ${used} * 1GB } }
    function Get-PartitionSupportedSize { [pscustomobject]@{ SizeMax = ${largest} * 1GB } }
    ${inRun('Details = @()', `"$((Get-NodeVolumeRoom -Step @{ drive = 'C:' }) / 1GB) $($script:Run.Details)".Trim()`)}`
  const bridge = (type: string, subnet: string): string => `function Test-NodeOwnAddress { $true }
    $network = [pscustomobject]@{
      Type = '${type}'; ManagementIP = '192.0.2.10'; Subnets = @([pscustomobject]@{ AddressPrefix = '10.244.3.0/24' })
    }
    Test-NodeBridgeNetwork -Network $network -Subnet ${subnet}`
  const external = (
    type: string,
  ): string => `function Get-NodeHnsNetwork { [pscustomobject]@{ Type = '${type}' } }
    ${inRun(
      'Details = @()',
      `$same = Test-NodeExternalNetwork -Step @{ name = 'External'; type = 'L2Bridge' }
      "$same $($script:Run.Details)".Trim()`,
    )}`
  const demand = (
    same: boolean,
    start: number,
    well = true,
  ): string => `function Test-NodeSameBoot { $${String(same)} }
    function Get-NodeBootTime { 'boot' }
    function Save-NodeState { }
    function Get-NodeRegistryData { ${start} }
    function Invoke-NodePhase { param($Step) $script:Started = @($Step | ForEach-Object -Process { $_['name'] }); $${String(well)} }
    function Get-NodePhaseStep {
      'containerd', 'kubelet', 'kube-proxy' | ForEach-Object -Process { @{ kind = 'serviceRunning'; name = $_ } }
    }
    $script:Started = @()
    ${inRun(
      `State = @{ looped = '' }; Document = @{ steps = @(@{ kind = 'serviceStart'; start = 'demand'; name = 'kubelet' }) }`,
      `Start-NodeOnDemand; "$script:Started;$($script:Run.State['looped'])"`,
    )}`
  await each(t, host, '', [
    [
      'a firewall rule, with addresses as Windows shows them',
      `function Get-NetFirewallRule {
        [CmdletBinding()] param($Name)
        [pscustomobject]@{ DisplayName = 'a'; Group = ''; Enabled = 'True'; Direction = 'Inbound'; Action = 'Allow' }
      }
      function Get-NetFirewallPortFilter {
        [CmdletBinding()] param([Parameter(ValueFromPipeline)] $Of)
        [pscustomobject]@{ Protocol = 'TCP'; LocalPort = '10250' }
      }
      function Get-NetFirewallAddressFilter {
        [CmdletBinding()] param([Parameter(ValueFromPipeline)] $Of)
        [pscustomobject]@{ RemoteAddress = '10.0.0.0/255.0.0.0', '192.168.1.1' }
      }
      ${inRun(
        'Details = @()',
        `$step = @{ name = 'k'; displayName = 'a'; group = ''; protocol = 'TCP'; ports = '10250'; from = '192.168.1.1/32', '10.0.0.0/8' }
        "$(Test-NodeFirewallRule -Step $step) $($script:Run.Details)".Trim()`,
      )}`,
      'True',
    ],
    [
      'a folder of SYSTEM, which an administrator protects',
      `$null = New-Item -ItemType Directory -Path 'C:\\system'
      [WinNodeHost.AccessList]::Write((Convert-Path -LiteralPath 'C:\\system'), 'O:SYD:P(A;;FA;;;SY)')
      Protect-NodePath -LiteralPath 'C:\\system' -Sddl $script:ProtectedFolder
      "$((Get-Acl -LiteralPath 'C:\\system').Sddl)"`,
      'O:BAG:SYD:PAI(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)',
    ],
    [
      'a service that runs, and one that is stopped, in each state of Windows',
      `function Get-NodeServiceStatus { $state }
      @(foreach ($state in 'Running', 'StartPending', 'StopPending', 'Paused', 'Stopped', '') {
          "$(Test-NodeServiceActive -Name 'a') $(Test-NodeServiceStopped -Name 'a')"
        }) -join '; '`,
      'True False; False False; False False; False False; False True; False True',
    ],
    ['the router goes', remote('Uninstalled', ''), 'uninstalled'],
    ['it existed before', remote('Installed', ''), ''],
    [
      'with another part',
      remote('Uninstalled', `'VpnStatus'`),
      'kept: Remote Access has VpnStatus installed, too',
    ],
    ['a disk that has grown', room(100, 50, 100), '100'],
    ['one that has not', room(50, 50, 50), '0'],
    [
      'not behind the partition',
      room(100, 50, 50),
      '0 50 GiB of the disk are free, but not behind C:',
    ],
    ['the network of this node', bridge('L2Bridge', '10.244.3.0/24'), true],
    ['another subnet', bridge('L2Bridge', '10.244.4.0/24'), false],
    ['another type', bridge('Overlay', '10.244.3.0/24'), false],
    ['External', external('L2Bridge'), 'True'],
    [
      'addresses that host-local has reserved for the host',
      `$step = @{ dataDirectory = 'C:\\cni'; network = 'cbr0'; containerId = 'host' }
      $files = @{ '10.244.1.2' = "host\`r\`nEthernet"; '10.244.1.3' = "pod\`r\`nhost"; 'last_reserved_ip.0' = 'host' }
      $null = New-Item -ItemType Directory -Path 'C:\\cni\\cbr0' -Force
      foreach ($name in $files.Keys) { Write-NodeText -LiteralPath "C:\\cni\\cbr0\\$name" -Text $files[$name] }
      (Get-NodeReservation -Step $step) -join ' '`,
      '10.244.1.2',
    ],
    [
      'the one that is expected, and no other',
      `function Get-NodeReservation { $reserved }
      function Get-NodeHostAddress { '10.244.1.2' }
      function Write-NodeDetail { }
      @(foreach ($reserved in @('10.244.1.2'), @('10.244.1.2', '10.244.1.9'), @()) { Test-NodeHostEndpoint -Step @{} }) -join ' '`,
      'True False False',
    ],
    [
      'gMSA: each plug-in has two keys',
      `$null = New-Item -Path 'HKLM:\\SOFTWARE\\Classes\\CLSID\\{a}' -Force
      function Test-Path { param($LiteralPath) $LiteralPath -notlike '*CCG*{b}' }
      @(foreach ($plugin in '{a}', '{b}') { ${verdict('Get-NodeGmsaHealth -Need @{ plugins = @($plugin) }')}.Split(' ')[0, -1] }) -join ' '`,
      'ok: registered warn: found',
    ],
    [
      'firewall rules of a policy that let traffic in',
      `function Get-NetFirewallRule {
        [CmdletBinding()] param($PolicyStore)
        $rule = @{ Enabled = 'True'; Direction = 'Inbound'; Action = 'Allow'; Profile = 'Domain, Private' }
        $changes = @{}, @{ Direction = 'Outbound' }, @{ Action = 'Block' }, @{ Enabled = 'False' }, @{ Profile = 'Public' }
        foreach ($change in $changes) {
          $all = $rule.Clone()
          foreach ($name in $change.Keys) { $all[$name] = $change[$name] }
          [pscustomobject]$all
        }
      }
      function Get-NetFirewallPortFilter {
        [CmdletBinding()] param([Parameter(ValueFromPipeline)] $Of, $PolicyStore)
        [pscustomobject]@{ Protocol = 'TCP'; LocalPort = '10250' }
      }
      @(foreach ($category in 'Private', 'Public') { @(Get-NodePolicyRule -Category $category).Count }) -join ' '`,
      '1 1',
    ],
    [
      'a network of the plugin, and the address that it has reserved',
      `$script:Called = @()
      ${calls('Clear-NodeReservation', 'Restore-NodeHnsNetwork')}
      Restore-NodePluginNetwork -Step @{ network = 'a' } -Confirm:$false
      "$script:Called"`,
      'Clear-Reservation Restore-HnsNetwork',
    ],
    [
      'an address that no interface has',
      `function Get-NetIPAddress { [CmdletBinding()] param($IPAddress) Write-Error -Message 'no such object' }
      Test-NodeOwnAddress -Address '192.0.2.1'`,
      false,
    ],
    [
      'the package of a driver: gone, gone with the next start, and one that stays',
      `function Test-Path { param($LiteralPath) $LiteralPath -like '*ovsext.inf' }
      function Get-ChildItem { [pscustomobject]@{ Name = 'oem1.inf'; FullName = 'oem1.inf' } }
      function Get-FileHash { [CmdletBinding()] param($LiteralPath) [pscustomobject]@{ Hash = 'A' } }
      function Read-NodeNative { @{ Code = $code; Lines = @('in use') } }
      @(foreach ($code in 0, 3010, 5) {
          try { Remove-NodeOvsDriver -Step @{ folder = 'C:\\ovs'; testSigned = $false } -Confirm:$false } catch { "$_" }
        }) -join '; '`,
      'False; True; pnputil.exe: exit code 5: in use',
    ],
    ['of another type', external('NAT'), 'False the network is NAT, expected L2Bridge'],
    [
      'services on demand, while the loop is suspended',
      demand(false, 3),
      'containerd kubelet;boot',
    ],
    ['again after one that failed', demand(false, 3, false), 'containerd kubelet;'],
    ['once in each start of the machine', demand(true, 3), ';'],
    ['not where a person has disabled it', demand(false, 4), ';'],
  ])
})

/** What a function calls, in this order, in place of doing it. */
const calls = (...names: readonly string[]): string =>
  names
    .map((name) => `function ${name} { $script:Called += '${name}'.Replace('Node', '') }`)
    .join('\n')

scenario('a recording for a report', async (t, { host }) => {
  const traced = (fails: string): string => `$script:Called = @()
    function Initialize-NodeReportFolder { 'C:\\log' }
    function Write-NodeLine { }
    function Add-NodeReadFailure { param($What, $Why) $script:Called += "$($What): $Why" }
    function Read-NodeClock { $script:Called += 'waits'; if ('${fails}' -eq 'waits') { throw 'clock' } }
    function Read-NodeProgramOutput { param($FilePath, $ArgumentList, $Seconds)
      $script:Called += $ArgumentList[1]
      if ('${fails}' -eq $ArgumentList[1]) { throw 'exit code 1' }
    }
    $file = Save-NodeReportTrace -Seconds 5
    (@($script:Called) + "'$file'") -join ' '`
  await each(t, host, '', [
    ['its file', traced(''), "start waits stop 'C:\\log\\winnode-report.etl'"],
    ['another program records: it goes on', traced('start'), "start trace: exit code 1 ''"],
    ['one that is interrupted ends', traced('waits'), "start waits stop trace: clock ''"],
    ['one that cannot be ended', traced('stop'), "start waits stop trace: exit code 1 ''"],
  ])
})

scenario('a part of an earlier download', async (t, { host }) => {
  const downloads = (distrust: string): string => `$script:Called = @()
    ${calls('Clear-NodePath', 'Save-NodeDownload', 'Install-NodeFile')}
    function Test-Path { $true }
    function Get-NodeDistrust { ${distrust} }
    Set-NodeDownload -Step @{ path = 'C:\\k\\a.exe'; checksum = @{ kind = 'pinned' } }
    "$script:Called"`
  await each(t, host, '', [
    ['goes on', downloads(''), 'Save-Download Install-File'],
    [
      'unless another user made it',
      downloads(`'it is owned by a user'`),
      'Clear-Path Save-Download Install-File',
    ],
  ])
})

scenario('settings of .NET and PowerShell, and what is in JSON and PEM', async (t, { host }) => {
  const { cert, keys } = identity({ name: 'kubernetes' })
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' })
  const protocols = (before: number): string => `$manager = [System.Net.ServicePointManager]
    $kept = $manager::SecurityProtocol
    try {
      $manager::SecurityProtocol = ${before}
      Enable-NodeTransportSecurity
      [int]$manager::SecurityProtocol
    } finally { $manager::SecurityProtocol = $kept }`
  const mode = (name: string): string => `
    $state = [System.Management.Automation.Runspaces.InitialSessionState]::CreateDefault2()
    $state.LanguageMode = '${name}'
    $body = "\${function:Test-NodeLanguageMode}"
    $shell = [powershell]::Create($state)
    try {
      $shell.AddScript("function Write-NodeDetail { } function Test-NodeLanguageMode { $body } Test-NodeLanguageMode").Invoke()[0]
    } finally { $shell.Dispose() }`
  await each(t, host, '', [
    [
      'JSON of a tab, a letter and a sign of two characters',
      `ConvertTo-NodeJson -InputObject "a\`t$([char]0xe9)$([char]::ConvertFromUtf32(0x1f600))"`,
      '"a\\u0009\\u00e9\\ud83d\\ude00"',
    ],
    ['Windows chooses the protocols', protocols(0), 0],
    ['TLS 1.2 is added to another choice', protocols(768), 768 + 3072],
    ['a process without limits', mode('FullLanguage'), true],
    ['one that a policy constrains', mode('ConstrainedLanguage'), false],
    [
      'a private key beside a certificate, of each kind',
      `function Read-NodeClock { [datetime]::UtcNow }
      @(foreach ($kind in 'EC PRIVATE KEY', 'RSA PRIVATE KEY', 'PRIVATE KEY', 'PUBLIC KEY') {
          $member = @{ Ca = 'ca'; Wanted = 'kubernetes'; Pem = '${cert}' + "\`n-----BEGIN $kind-----\`nAAAA" }
          try { Get-NodeCertificateState -Member $member } catch { "$_" }
        }) -join '; '`,
      'member; member; member; the certificate has no private key',
    ],
    [
      'the hash of a CA with an elliptic curve, as kubeadm prints it',
      `Get-NodeKeyDigest -Certificate (Get-NodeCertificate -Pem '${cert}')`,
      `sha256:${createHash('sha256').update(spki).digest('hex')}`,
    ],
    [
      'a JSON pointer to a name with a tilde',
      `$document = [ordered]@{}
      Edit-NodeJson -Document $document -Pointer '/a~01' -Value 'x'
      "$($document.Keys)"`,
      'a~1',
    ],
  ])
})

scenario('a copy from a folder', async (t, { host, machine }) => {
  await machine(nodeDocument([]))
  const copied = (
    from: string,
    most: number,
  ): string => `Set-Content -LiteralPath 'C:\\from' -Value 'abc' -NoNewline
    Set-Content -LiteralPath 'C:\\to' -Value 'longer' -NoNewline
    $said = try { Receive-NodeCopy -LiteralPath 'C:\\${from}' -Destination 'C:\\to' -Most ${most} } catch { 'fails' }
    "$said $(Get-Content -LiteralPath 'C:\\to' -Raw)".Trim()`
  await each(t, host, '', [
    ['in place of a longer file', copied('from', 3), 'abc'],
    ['of a file that is missing', copied('none', 3), 'fails longer'],
    ['of one that is too large', copied('from', 2), 'fails'],
  ])
})

scenario('a key that a Group Policy can own', async (t, { host }) => {
  const owned = (key: string, domain: boolean): string =>
    `function Get-CimInstance { [pscustomobject]@{ PartOfDomain = $${String(domain)} } }
    Test-NodeDomainPolicy -Key 'HKLM:\\SOFTWARE\\${key}'`
  await each(t, host, '', [
    ['below Policies, in a domain', owned('Policies\\Microsoft', true), true],
    ['the key itself, in another case', owned('POLICIES', true), true],
    ['outside of a domain', owned('Policies\\Microsoft', false), false],
    ['below another key', owned('PoliciesOfOthers\\Microsoft', true), false],
  ])
})

scenario('a join with a bootstrap kubeconfig', async (t, { host }) => {
  const joins = (
    state: string,
    { there = true, runs = false, request = 'none' } = {},
  ): string => `$script:Called = @()
    ${calls('Protect-NodePath', 'Close-NodeService', 'Clear-NodeCertificate', 'Open-NodeService', 'Wait-NodeCertificate', 'Clear-NodePath')}
    function Get-NodeMembership { @{ State = '${state}'; Text = 'the machine' } }
    function Test-NodeServiceActive { $${String(runs)} }
    function Get-NodeRequestText { @{ State = '${request}' } }
    function Read-NodeClock { 0 }
    function Test-Path { param($LiteralPath) $LiteralPath -eq 'ca' -or $${String(there)} }
    ${inRun(
      `Document = @{ name = 'a' }; Since = $null`,
      `$said = try { Set-NodeBootstrapJoin -Step @{ ca = 'ca'; bootstrapKubeconfig = 'file' } } catch { "$_" }`,
    )}
    (@($script:Called) + $said) -join ' '`
  /** The questions about a certificate that does not come, one each two seconds. */
  const waits = (runs: boolean, request: string): string => `$script:Asked = 0
    function Get-NodeMembership { $script:Asked++; @{ State = 'waiting'; Text = 'the machine' } }
    function Test-NodeServiceActive { $${String(runs)} }
    function Get-NodeRequestText { @{ State = '${request}'; Text = 'its request' } }
    function Write-NodeLog { }
    function Write-NodeRow { }
    function Read-NodeClock { 2 * ($script:Asked) }
    ${inRun(
      `Deadline = 60; Place = ''`,
      `try { Wait-NodeCertificate -Step @{ id = 'join' } } catch { $script:Asked }`,
    )}`
  const fresh =
    'Protect-Path Close-Service Clear-Certificate Open-Service Wait-Certificate Clear-Path'
  await each(t, host, '', [
    ['it has joined: the file goes', joins('member'), 'Clear-Path'],
    ['a first one', joins('prepared'), fresh],
    ['after one that has expired', joins('expired'), fresh],
    ['without the file', joins('none', { there: false }), 'cannot join: file not found'],
    [
      'a request that waits goes on',
      joins('waiting', { runs: true, request: 'pending' }),
      'Protect-Path Open-Service Wait-Certificate Clear-Path',
    ],
    [
      'also without the file',
      joins('waiting', { there: false, runs: true, request: 'pending' }),
      'Open-Service Wait-Certificate Clear-Path',
    ],
    [
      'one that was denied: the kubelet reads the new file',
      joins('waiting', { runs: true, request: 'denied' }),
      'Protect-Path Close-Service Open-Service Wait-Certificate Clear-Path',
    ],
    ...(['denied', 'refused', 'pending'] as const).map((state): Row => [
      `a request that is ${state}: how often it is asked about within a minute`,
      waits(true, state),
      state === 'pending' ? 30 : 15,
    ]),
    ['a kubelet that has exited is waited for half as long', waits(false, 'pending'), 15],
    [
      'not on a machine of another cluster',
      joins('foreign'),
      'the machine; run Reset-WinNode.ps1 first',
    ],
  ])
})

scenario('kubeadm fails, the Node becomes Ready, and a reset', async (t, { host }) => {
  const joins = (
    problem: string,
    { state = 'none', runs = false, late = false } = {},
  ): string => `$script:Called = @()
    ${calls('Clear-NodePartialJoin', 'Write-NodeLog', 'Write-NodeRow')}
    function Invoke-NodeKubeadm { $script:Called += 'kubeadm'; if ($script:Called.Count -lt 4) { '${problem}' } else { '' } }
    function Get-NodeMembership { @{ State = '${state}' } }
    function Test-NodeServiceActive { $${String(runs)} }
    function Read-NodeClock { ${late ? 2 : 1} }
    ${inRun(`Deadline = 2; Place = ''`, `$said = try { Join-NodeKubeadm -Step @{ id = 'join' } } catch { "$_" }`)}
    (@($script:Called) + $said) -join ' '`
  const failed = 'Clear-PartialJoin kubeadm Clear-PartialJoin'
  const ready = (clock: string): string => `$script:Said = @()
    $script:Times = 0
    function Get-NodeJoinStep { @{ kind = 'kubeadmJoin' } }
    function Get-NodeMembership { @{ State = $(if ($script:Times -lt 2) { 'waiting' } else { 'member' }) } }
    function Get-NodeReadiness { param($Member) if ($Member.State -eq 'waiting') { 'the CSR waits' } else { '' } }
    function Get-NodeKubeletLack { param($Member) if ($script:Times -lt 3) { 'the kubelet is old' } else { '' } }
    function Test-NodeNetworkPending { $false }
    function Write-NodeLine { param($Text) $script:Said += $Text }
    function Write-NodeRow { param($Place, $State, $Id, $Text) $script:Said += $Text }
    function Write-NodeLog { }
    function Read-NodeClock { param($After) if ($After) { $script:Times++ } else { ${clock} } }
    ${inRun(`Deadline = 9; Lack = ''; Message = ''`, `Wait-NodeReady; (@($script:Said) + $script:Run.Lack) -join '; '`)}`
  const restored = (before: string): string => `$script:Called = @()
    function Clear-NodeCredential { $script:Called += 'credentials' }
    function Get-NodeBefore { ${before} }
    function Get-NodeJoinTrace { 'C:\\bootstrap', 'C:\\ca' }
    function Clear-NodePath { param($LiteralPath) $script:Called += $LiteralPath }
    Restore-NodeKubeadmJoin -Step @{ kubeconfig = 'a' } -Confirm:$false
    "$script:Called"`
  await each(t, host, '', [
    ['nothing of it is left', joins('error: no'), `${failed} kubeadm: error: no`],
    [
      'again after an error that may pass',
      joins('connection refused'),
      `${failed} Write-Log Write-Row Clear-PartialJoin kubeadm`,
    ],
    [
      'not when it is late',
      joins('connection refused', { late: true }),
      `${failed} kubeadm: connection refused`,
    ],
    [
      'nor while its kubelet waits for an approval',
      joins('error: no', { state: 'waiting', runs: true }),
      'Clear-PartialJoin kubeadm',
    ],
    [
      'a kubelet that has ended waits for nothing',
      joins('error: no', { state: 'waiting' }),
      `${failed} kubeadm: error: no`,
    ],
    [
      'what is missing is printed once, and asked again',
      ready('$script:Times'),
      'the CSR waits; the kubelet is old; The Node is Ready.; ',
    ],
    ['until it is late', ready('9'), 'the CSR waits'],
    [
      'files that existed before the join stay',
      restored(`@{ there = @('C:\\CA') }`),
      'credentials C:\\bootstrap',
    ],
    ['all of them where nothing is known', restored(''), 'credentials'],
  ])
})

scenario('a join that another program does', async (t, { host }) => {
  const prepared = (state: string): string => `$script:Called = @()
    ${calls('Save-NodeBefore', 'Clear-NodePartialJoin')}
    function Get-NodeJoinStep { @{ kind = 'kubeadmJoin' } }
    function Get-NodeMembership { @{ State = '${state}'; Text = 'the machine' } }
    ${inRun(
      `Message = ''`,
      `$said = try { Initialize-NodeJoinElsewhere } catch { 'refused' }
      (@($script:Called) + $said + $script:Run.Message.Split(';')[0]) -join ' '`,
    )}`
  await each(t, host, '', [
    ['it has joined', prepared('member'), ''],
    ['a first one', prepared('none'), 'Save-Before Clear-PartialJoin ready for kubeadm'],
    [
      'an earlier one was aborted',
      prepared('stranded'),
      'Save-Before Clear-PartialJoin ready for kubeadm',
    ],
    ['valid credentials of another name are kept', prepared('renamed'), 'refused '],
    ['or of another cluster', prepared('foreign'), 'refused '],
    [
      'the endpoint that only its configuration has',
      inRun(
        'Details = @(); Elsewhere = $true',
        `@(foreach ($need in @{}, @{ endpoint = 'a:6443' }, @{ discoveryFile = 'C:\\none' }) { Test-NodeEndpointKnown -Need $need }) -join ' '`,
      ),
      'False True False',
    ],
    [
      'what must come first',
      `function Test-NodeServiceActive { $runs }
      @(foreach ($runs in $true, $false) {
          foreach ($state in 'waiting', 'member', 'none', 'early') {
            (Get-NodeElsewhereRemedy -State $state -Phase afterJoin).Split(' ')[0]
          }
        }) -join ' '`,
      'approve  run set run  run set',
    ],
    [
      'a network of the plugin: nothing to do',
      `@(Set-NodePluginNetwork -Step @{ network = 'a' }).Count`,
      0,
    ],
  ])
})
