// Runs the start script of kube-proxy's DaemonSet in pwsh, with HNS in a file and a program that stands in for kube-proxy.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { textOf } from '../judge/go/scalar.ts'

/** A machine with HNS in a file, and a kube-proxy that writes its configuration and waits. */
export function proxyPod(
  t: Test,
  manifest: string,
  more: (mount: string) => NodeJS.ProcessEnv = () => ({}),
) {
  const [configMap, daemonSet] = parseAllDocuments(manifest).map(
    (document) => document.toJS() as JsonObject,
  )
  const env = valueAt(daemonSet, ['spec', 'template', 'spec', 'containers', 0, 'env'])
  const environment = Object.fromEntries(
    (env as readonly JsonObject[]).flatMap(({ name, value }) =>
      value === undefined ? [] : [[textOf(name), textOf(value)]],
    ),
  )
  const mount = t.testdir({})
  const at = (name: string) => path.join(mount, name)
  const proxy = at('kube-proxy')
  writeFileSync(
    proxy,
    '#!/bin/sh\nmount=$(dirname "$0")\ncp "$mount/config.json" "$mount/started.json"\nwhile [ ! -e "$mount/ends" ]; do sleep 0.1; done\nexit "$(cat "$mount/ends")"\n',
  )
  chmodSync(proxy, 0o755)
  mkdirSync(at('etc'))
  writeFileSync(at('etc/start.ps1'), textOf(valueAt(configMap, ['data', 'start.ps1'])))
  const hns = (state: { networks?: readonly Json[]; endpoints?: readonly Json[] }) =>
    writeFileSync(at('hns.json'), JSON.stringify({ networks: [], endpoints: [], ...state }))
  hns({})
  const script = `function Read-Hns { (Get-Content -Raw -LiteralPath '${at('hns.json')}' | ConvertFrom-Json).$($args[0]) }
    function Get-HnsNetwork { Read-Hns networks }
    function Get-HnsEndpoint { Read-Hns endpoints }
    & '${at('etc/start.ps1')}'; exit $LASTEXITCODE`
  const child = spawn('pwsh', ['-NoProfile', '-NonInteractive', '-Command', script], {
    env: {
      ...process.env,
      CONTAINER_SANDBOX_MOUNT_POINT: mount,
      ...environment,
      KUBE_PROXY: proxy,
      NODE_NAME: 'win-1',
      NODE_IP: '192.0.2.7',
      ...more(mount),
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
  /** The file that the pod had when kube-proxy started. */
  const started = async (name: string): Promise<JsonObject> => {
    for (let tries = 0; tries < 100 && !existsSync(at('started.json')); tries++)
      await setTimeout(100)
    return JSON.parse(readFileSync(at(name), 'utf8')) as JsonObject
  }
  return { at, hns, ended, says, started }
}
