// Requests to the API server: the program that sends them, its limits, and the real kubectl beside its stand-in.
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { install } from '../host/course.ts'
import { everyKind } from '../host/every-kind.ts'
import type { Host } from '../host/host.ts'
import { scenario } from '../host/stage.ts'
import { root } from '../tools/run.ts'

const module = path.join(root, 'dist/node/WinNode.psm1')

/** Runs a program with the module's own function, which the simulated host replaces. */
const limited = (host: Host, script: string, limits = '-Seconds 20 -Characters 100000') =>
  host.ps<Record<string, unknown>>(
    `Import-Module -Name $with.module -Force
    & (Get-Module -Name WinNode.Loop) {
      function Resolve-NodeProgram { param($FilePath) $FilePath }
      try { & $script:NodeLimited -FilePath /bin/sh -ArgumentList '-c', $args[0] -Environment @{ KUBERC = 'off' } ${limits} }
      catch { @{ Threw = $_.Exception.Message } }
    } $with.script`,
    { module, script },
  )

scenario('a program with limits', async (t, { host }) => {
  const said = await limited(host, 'printf one; printf two >&2; printf $KUBERC; exit 3')
  t.match(said, { Code: 3, Text: 'oneoff', Problem: 'two' })
  t.match(await limited(host, 'seq 200000 >&2; seq 10'), { Code: 0, Text: /^1\n2\n/ })
  const long = await limited(host, 'while :; do echo more; done')
  t.match(long, { Threw: '/bin/sh: an answer of more than 100000 characters' })
  const from = Date.now()
  const slow = await limited(host, 'echo begun; sleep 60', '-Seconds 2 -Characters 100')
  t.match(slow, { Threw: '/bin/sh: no answer within 2 s' })
  t.ok(Date.now() - from < 30_000)
  const quoted = await limited(host, 'printf "a"')
  t.match(quoted, { Threw: /holds a quote/ }, 'which 5.1 would drop')
})

scenario('a kubectl that does not answer', async (t, { host }) => {
  const file = path.join(t.testdir({ 'kubectl.exe': '#!/bin/sh\nexec sleep 60\n' }), 'kubectl.exe')
  chmodSync(file, 0o755)
  const answer = await host.ps(
    `Import-Module -Name $with.module -Force
    & (Get-Module -Name WinNode.Loop) {
      param($File)
      function Find-NodeProgram { $File }
      function Resolve-NodeProgram { $File }
      function Read-NodeLimitedNative { param($FilePath, $ArgumentList, $Environment, $Seconds, $Characters)
        & $script:NodeLimited @PSBoundParameters }
      $limit = $script:Limit.RequestSeconds
      try {
        $script:Limit.RequestSeconds = 1
        Invoke-NodeKubectl -Kubeconfig 'none.conf' -Path '/version'
      } finally { $script:Limit.RequestSeconds = $limit }
    } $with.file`,
    { module, file },
  )
  t.match(answer, { Problem: `${file}: no answer within 3 s`, Lasting: false }, 'a retry may pass')
})

scenario('Ctrl-C ends a program with limits', async (t, { host }) => {
  const file = path.join(t.testdir(), 'process')
  const stopped = await host.ps<{ seconds: number; gone: boolean }>(
    `Import-Module -Name $with.module -Force
    $run = & (Get-Module -Name WinNode.Loop) { "$script:NodeLimited" }
    $shell = [powershell]::Create().AddScript("function Assert-NodeArgument {}
      function Resolve-NodeProgram { param(\`$FilePath) \`$FilePath }
      & { $run } -FilePath /bin/sh -ArgumentList '-c', 'echo \`$\`$ > $($with.file); exec sleep 60' -Environment @{} -Seconds 20 -Characters 100")
    $null = $shell.BeginInvoke()
    while (-not ([System.IO.File]::Exists($with.file) -and [System.IO.File]::ReadAllText($with.file))) { [System.Threading.Thread]::Sleep(100) }
    $watch = [System.Diagnostics.Stopwatch]::StartNew()
    $shell.Stop()
    $process = [int][System.IO.File]::ReadAllText($with.file)
    $gone = [System.Threading.SpinWait]::SpinUntil({ [System.Diagnostics.Process]::GetProcesses().Id -notcontains $process }, 5000)
    @{ seconds = $watch.Elapsed.TotalSeconds; gone = $gone }`,
    { module, file },
  )
  t.ok(stopped.seconds < 12, `after ${stopped.seconds} s`)
  t.ok(stopped.gone)
})

/** A server, credentials and a path; `change` is what the cluster is like meanwhile. */
const requests: readonly (readonly [what: string, way: string, at: string, change?: string])[] = [
  ['a token', `Token = 'token-of-flannel'`, '/api/v1/nodes/linux-a'],
  ['a list', `Token = 'token-of-flannel'`, '/api/v1/nodes?limit=500'],
  ['nothing there', `Token = 'token-of-flannel'`, '/api/v1/nodes/none'],
  ['no right', `Token = 'token-of-flannel'`, '/api/v1/namespaces/default/services'],
  ['an unknown token', `Token = 'other'`, '/version'],
  ['no credentials', `Token = ''`, '/version'],
  ['any server', `Token = ''; Ca = ''`, '/version'],
  ['another authority', `Token = ''; Ca = [WinNodeHost.ApiServer]::ForeignPem`, '/version'],
  ['a certificate', `Pem = $client`, '/api/v1/nodes/node-a'],
  ['a certificate of another', `Pem = $strange`, '/version'],
  ['too many requests', `Token = ''`, '/version', '[WinNodeHost.ApiServer]::Answers = 429'],
  ['a server that starts', `Token = ''`, '/version', '[WinNodeHost.ApiServer]::Answers = 503'],
  ['a mute server', `Token = ''`, '/version', '[WinNodeHost.ApiServer]::Mute = $true'],
]

const real = spawnSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).stdout.trim()

scenario('the real kubectl, and its stand-in', async (t, { host, machine }) => {
  if (real === '') {
    t.pass('not compared: kubectl is not on PATH')
    return
  }
  await machine(everyKind())
  await install(host)
  await host.ps(`Set-HostNode -Name node-a -Ready $true`)
  const ask = (way: string, at: string, change: string, program: string) =>
    host.ps<Record<string, unknown>>(
      `$made = [WinNodeHost.ApiServer]
      $from, $until = [datetime]::UtcNow.AddDays(-2), [datetime]::UtcNow.AddDays(2)
      $client = $made::Client('system:node:node-a', 'system:nodes', $from, $until)
      $strange = $made::Client('system:node:node-a', 'system:nodes', $from, $until, $true)
      $way = @{ Server = "https://127.0.0.1:$($made::Port)"; Ca = $made::CaPem }
      $more = @{ ${way} }
      foreach ($name in $more.Keys) { $way[$name] = $more[$name] }
      ${change}
      try {
        & (Get-Module -Name WinNode.Loop) {
          param($Way, $Path, $Real)
          Open-NodeRun -Path 'C:\\win-node'
          try {
            if ($Real -eq '') { return Invoke-NodeRequest -Way $Way -Path $Path }
            $file = [System.IO.Path]::GetTempFileName()
            [System.IO.File]::WriteAllText($file, (ConvertTo-NodeKubeconfig -Way $Way))
            $run = \${function:Read-NodeLimitedNative}, \${function:Find-NodeProgram}, \${function:Resolve-NodeProgram}
            function script:Read-NodeLimitedNative { param($FilePath, $ArgumentList, $Environment, $Seconds, $Characters) & $script:NodeLimited @PSBoundParameters }
            function script:Find-NodeProgram { '/kubectl.exe' }
            function script:Resolve-NodeProgram { $script:Real }
            $script:Real = $Real
            try { Invoke-NodeKubectl -Kubeconfig $file -Path $Path } finally {
              \${function:script:Read-NodeLimitedNative}, \${function:script:Find-NodeProgram}, \${function:script:Resolve-NodeProgram} = $run
              [System.IO.File]::Delete($file)
            }
          } finally { Close-NodeRun }
        } $way $with.at $with.program
      } finally { $made::Answers = 0; $made::Mute = $false }`,
      { at, program },
    )
  await host.ps('[WinNodeHost.ApiServer]::Now = [datetime]::UtcNow')
  for (const [what, way, at, change = ''] of requests) {
    const without = { Log: '' }
    const found = { ...(await ask(way, at, change, real)), ...without }
    const expected = { ...(await ask(way, at, change, '')), ...without }
    t.strictSame(found, expected, what)
  }
  const left = await host.ps<readonly string[]>(
    `@(Get-ChildItem -LiteralPath 'C:\\ProgramData\\winnode' -Filter 'request-*' | ForEach-Object -Process { $_.Name })`,
  )
  t.strictSame(left, [], 'no kubeconfig is left')
})
