// Runs the start script of a DaemonSet of HostProcess pods in pwsh, with HNS in a file and stand-ins for its programs.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { textOf } from '../judge/go/scalar.ts'

interface Networks {
  readonly networks?: readonly Json[]
  readonly endpoints?: readonly Json[]
  readonly addresses?: readonly string[]
  readonly services?: readonly string[]
  /** The PID of HNS. */
  readonly process?: number
}

/** The folder of the container's mounts. */
export function mountOf(t: Test) {
  const mount = t.testdir({})
  const at = (name: string) => path.join(mount, name)
  const program = (name: string, lines: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true })
    writeFileSync(at(name), `#!/bin/sh\nmount='${mount}'\n${lines}`)
    chmodSync(at(name), 0o755)
    return at(name)
  }
  const hns = (state: Networks) => {
    writeFileSync(
      at('hns.next'),
      JSON.stringify({
        networks: [],
        endpoints: [],
        addresses: ['192.0.2.7'],
        services: [],
        process: 1200,
        ...state,
      }),
    )
    // Not written in place: the script reads it at any time.
    renameSync(at('hns.next'), at('hns.json'))
  }
  hns({})
  return { at, program, hns }
}

/** Starts the script, on the node win-1 with the address 192.0.2.7. */
export function hostProcessPod(
  t: Test,
  manifest: string,
  { at }: ReturnType<typeof mountOf>,
  more: NodeJS.ProcessEnv,
) {
  const [configMap, daemonSet] = parseAllDocuments(manifest).map(
    (document) => document.toJS() as JsonObject,
  )
  const env = valueAt(daemonSet, ['spec', 'template', 'spec', 'containers', 0, 'env'])
  const node: Readonly<Record<string, string>> = { NODE_NAME: 'win-1', NODE_IP: '192.0.2.7' }
  const environment = Object.fromEntries(
    (env as readonly JsonObject[]).flatMap(({ name, value }) =>
      // As the kubelet expands a variable that stands before.
      value === undefined
        ? []
        : [
            [
              textOf(name),
              textOf(value).replace(/\$\((\w+)\)/g, (all, other: string) => node[other] ?? all),
            ],
          ],
    ),
  )
  mkdirSync(at('etc'), { recursive: true })
  writeFileSync(at('etc/start.ps1'), textOf(valueAt(configMap, ['data', 'start.ps1'])))
  const script = `function Read-Hns { (Get-Content -Raw -LiteralPath '${at('hns.json')}' | ConvertFrom-Json).$($args[0]) }
    function Get-HnsNetwork { Read-Hns networks }
    function Get-HnsEndpoint { Read-Hns endpoints }
    function Get-Service { [CmdletBinding()] param($Name) Read-Hns services | Where-Object { $_ -eq $Name } }
    function Get-CimInstance { param($ClassName, $Filter) [pscustomobject]@{ ProcessId = (Read-Hns process) } }
    function Get-NetIPAddress { [CmdletBinding()] param($IPAddress) Read-Hns addresses | Where-Object { $_ -eq $IPAddress } }
    function Remove-HnsEndpoint { process { [System.IO.File]::AppendAllText('${at('removed')}', "endpoint $($_.ID)\n") } }
    function Remove-HnsNetwork {
      process {
        [System.IO.File]::AppendAllText('${at('removed')}', "network $($_.ID)\n")
        Set-Content -LiteralPath '${at('hns.next')}' -Value '{"networks":[],"endpoints":[],"addresses":["192.0.2.7"],"services":[],"process":1200}'
        [System.IO.File]::Move('${at('hns.next')}', '${at('hns.json')}', $true)
      }
    }
    & '${at('etc/start.ps1')}'; exit $LASTEXITCODE`
  const child = spawn('pwsh', ['-NoProfile', '-NonInteractive', '-Command', script], {
    env: {
      ...process.env,
      CONTAINER_SANDBOX_MOUNT_POINT: at(''),
      ...environment,
      ...node,
      ...more,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  t.teardown(() => child.kill('SIGKILL'))
  const says = async (words: RegExp) => {
    for (let tries = 0; tries < 600 && !words.test(output); tries++) await setTimeout(100)
    t.match(output, words)
  }
  /** A JSON file that the pod has when the program has written `started.json`. */
  const started = async (name: string): Promise<JsonObject> => {
    for (let tries = 0; tries < 100 && !existsSync(at('started.json')); tries++)
      await setTimeout(100)
    return JSON.parse(readFileSync(at(name), 'utf8')) as JsonObject
  }
  return { ended, says, started }
}
