// On a real Windows Server, which it changes for good: installs a bundle, drifts it, repairs it, joins, resets.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const [profile, out] = process.argv.slice(2)
const results = path.resolve(out)
const bundle = path.join(results, 'bundle')
const work = mkdtempSync(path.join(tmpdir(), 'winnode-'))
const kubernetes = 'C:\\etc\\kubernetes'
const endpoint = '127.0.0.1:6443'
const drifted = ['firewall-kubelet', 'file-containerd-config', 'service-containerd']

/** Script, arguments, the code it must end with, what is done before, and what is true of its steps. */
const stages = [
  { script: 'Install', args: ['-WhatIf'], code: 0 },
  { script: 'Install', code: 0, check: (steps) => steps.Changed?.includes('running-containerd') },
  { script: 'Test', code: 0 },
  { script: 'Test', code: 0 },
  { script: 'Install', code: 0, check: (steps) => steps.Changed === undefined },
  { script: 'Test', code: 4, before: drift, check: (steps) => same(steps.Different, drifted) },
  {
    script: 'Install',
    code: 0,
    check: (steps) => drifted.every((id) => steps.Changed.includes(id)),
  },
  { script: 'Test', code: 0 },
  // There is no cluster behind the endpoint: the kubelet runs and asks for it, and flanneld cannot.
  {
    script: 'Join',
    code: 1,
    before: bringFiles,
    check: (steps) => steps.Changed.includes('running-kubelet'),
  },
  { script: 'Export', code: 0 },
  { script: 'Reset', code: 0, check: () => servicesLeft() === '' },
  { script: 'Reset', code: 0 },
]
const files = { Export: 'Export-WinNodeReport.ps1' }

function run({ script, args = [], code, before, check }, index) {
  before?.()
  const file = path.join(bundle, files[script] ?? `${script}-WinNode.ps1`)
  const flags = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file]
  const { status, stdout, stderr } = spawnSync('powershell.exe', [...flags, ...args, '-AsJson'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const name = `${String(index + 1).padStart(2, '0')}-${script}.json`
  writeFileSync(path.join(results, name), stdout)
  console.log(`${name}: ${status}\n${stderr}`)
  const { exitCode, message, steps, preflight } = JSON.parse(stdout)
  const failed = [...steps, ...preflight].filter(
    ({ state, passed }) => state === 'Failed' || passed === false,
  )
  for (const { id, detail, message: why } of failed) console.log(`  ${id}: ${detail ?? why}`)
  assert.equal(status, code, message)
  assert.equal(exitCode, code)
  const states = Object.groupBy(steps, ({ state }) => state)
  const ids = Object.entries(states).map(([state, list]) => [state, list.map(({ id }) => id)])
  assert.notEqual(check?.(Object.fromEntries(ids)), false, `${name} holds other steps`)
}

function powershell(command) {
  const flags = ['-NoProfile', '-NonInteractive', '-Command', command]
  return execFileSync('powershell.exe', flags, { encoding: 'utf8' }).trim()
}

function drift() {
  powershell(`
    Remove-NetFirewallRule -Name winnode-kubelet
    Add-Content -LiteralPath 'C:\\Program Files\\containerd\\config.toml' -Value '# by hand'
    sc.exe config containerd start= disabled`)
}

/** Files that an administrator provides, for a cluster that does not exist. */
function bringFiles() {
  const cluster = { server: `https://${endpoint}`, 'insecure-skip-tls-verify': true }
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'none', cluster }],
    users: [{ name: 'none', user: {} }],
    contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
    'current-context': 'none',
  }
  for (const name of ['kubelet', 'kube-proxy', 'flannel']) {
    writeFileSync(`${kubernetes}\\${name}.conf`, JSON.stringify(kubeconfig))
  }
}

function servicesLeft() {
  return powershell(
    '(Get-Service -Name containerd, kubelet, flanneld, kube-proxy -ErrorAction Ignore).Name',
  )
}

/** Order does not count. */
function same(found, wanted) {
  return found?.toSorted().join() === wanted.toSorted().join()
}

/** Answers on the endpoint, as the checks before a join ask for; in a thread, as the stages block this one. */
function listen() {
  const key = path.join(work, 'key.pem')
  const cert = path.join(work, 'cert.pem')
  const subject = ['-subj', '/CN=winnode-test', '-days', '1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject],
    {
      env: { ...process.env, MSYS_NO_PATHCONV: '1' },
    },
  )
  const server = `
    const { readFileSync } = require('node:fs')
    const { workerData: { key, cert } } = require('node:worker_threads')
    const options = { key: readFileSync(key), cert: readFileSync(cert) }
    require('node:https').createServer(options, (_, answer) => answer.writeHead(401).end()).listen(6443, '127.0.0.1')`
  new Worker(server, { eval: true, workerData: { key, cert } }).unref()
  return readFileSync(cert, 'utf8')
}

const registry = JSON.parse(
  readFileSync(new URL('../../src/matrix/tables/registry-values.json', import.meta.url), 'utf8'),
)
mkdirSync(results, { recursive: true })
const ca = listen()
const set = {
  // A page file needs a restart, which does not happen; and the runner has Docker.
  'host.pageFileMiB': 'null',
  // Windows reads these values at boot only.
  'host.registry': JSON.stringify(registry.values.map(({ path, name }) => ({ path, name }))),
  'host.allowOtherEngines': 'true',
  'join.method': 'bootstrapKubeconfig',
  'join.endpoint': JSON.stringify(endpoint),
  'join.ca': JSON.stringify(ca),
}
const values = Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`])
const program = fileURLToPath(new URL('../../bin/run.cjs', import.meta.url))
execFileSync(process.execPath, [program, 'render', profile, '--out', bundle, ...values], {
  stdio: 'inherit',
})
try {
  stages.forEach(run)
} finally {
  try {
    cpSync('C:\\var\\log', path.join(results, 'log'), { recursive: true })
  } catch (error) {
    console.log(`no logs: ${error.message}`)
  }
}
