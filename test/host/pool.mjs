// PowerShell processes with a simulated Windows Server. `npm test` lends each to one test file after another: half
// of the first 13 seconds of CPU of such a process is its compiler.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

const argv = [
  // It would log each command to syslog, in a twelfth of its time.
  // https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_logging_non-windows
  '-SettingsFile',
  path.join(folder, 'powershell.config.json'),
  '-NoLogo',
  '-NoProfile',
  '-NonInteractive',
  '-File',
  path.join(folder, 'loop.ps1'),
]

/** A process that reads requests and writes answers, a line each. */
export function startHost() {
  return spawn('pwsh', argv, { env: environment() })
}

/** Without the variable that Join reads a token from. */
function environment() {
  const kept = Object.entries(process.env).filter(([name]) => name !== 'WINNODE_TOKEN')
  // What is learnt about code that runs hot costs a fifth of the time of processes that live for minutes; the guard of
  // what is compiled costs some, too. Not TieredCompilation: without it these take longer, only short ones less.
  // https://learn.microsoft.com/dotnet/core/runtime-config/compilation#profile-guided-optimization
  // https://github.com/dotnet/runtime/issues/50391
  const lean = { DOTNET_TieredPGO: '0', DOTNET_EnableWriteXorExecute: '0' }
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...lean }
}

/** Lends processes at a socket, whose path it returns: a connection is one process, until it closes. */
export function lendHosts() {
  const place = mkdtempSync(path.join(os.tmpdir(), 'winnode-hosts-'))
  const started = new Set()
  const idle = []
  const start = () => {
    const host = startHost()
    for (const part of [host, host.stdin, host.stdout, host.stderr]) part.unref()
    host.stderr.pipe(process.stderr, { end: false })
    host.stdin.on('error', () => undefined)
    started.add(host)
    host.on('error', () => started.delete(host)).on('exit', () => started.delete(host))
    return host
  }
  const server = createServer((client) => {
    const host = idle.pop() ?? start()
    let unanswered = 0
    const ask = (chunk) => {
      unanswered += linesOf(chunk)
      host.stdin.write(chunk)
    }
    let line = ''
    const answer = (chunk) => {
      const lines = (line + chunk).split('\n')
      line = lines.pop() ?? ''
      unanswered -= lines.filter((one) => one.startsWith('answer ')).length
      client.write(chunk)
    }
    const end = () => client.destroy()
    host.stdout.setEncoding('utf8').on('data', answer)
    host.on('error', end).on('exit', end)
    client
      .setEncoding('utf8')
      .on('data', ask)
      .on('error', () => undefined)
    client.on('close', () => {
      host.stdout.off('data', answer)
      host.off('error', end).off('exit', end)
      if (unanswered === 0 && started.has(host)) idle.push(host)
      else host.kill('SIGKILL')
    })
  })
  const socket = path.join(place, 'socket')
  server.listen(socket).unref()
  process.once('exit', () => {
    for (const host of started) host.kill('SIGKILL')
    rmSync(place, { recursive: true, force: true })
  })
  return socket
}

const linesOf = (text) => text.split('\n').length - 1
