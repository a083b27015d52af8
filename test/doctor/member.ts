// A healthy joined node, with every check that the diagnoses use, and its report.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isList, isObject, type JsonObject } from '../../src/model/json.ts'
import type { NodeDocument } from '../host/bundle.ts'
import { bring, install, succeeded, token } from '../host/course.ts'
import { everyKind, withHealth } from '../host/every-kind.ts'
import type { Host } from '../host/host.ts'
import { told } from './recorded.ts'

const check = (id: string, kind: string, need: JsonObject, like: JsonObject = {}): JsonObject => ({
  verdict: 'fail',
  with: Object.entries(need).map(([name, value]) => ({ name, value: value ?? null })),
  ...like,
  id,
  kind,
  phases: ['beforeJoin'],
})

const base = withHealth(everyKind())
const checks = isList(base['preflight']) ? base['preflight'].filter(isObject) : []
const engines = checks.find(({ kind }) => kind === 'otherEngines')

export const memberDocument: NodeDocument = {
  ...base,
  preflight: [
    ...checks,
    check('other-engines', 'otherEngines', {}, engines),
    check('revision-at-least', 'revisionAtLeast', { revision: 2000 }),
    check('secure-boot-off', 'secureBootOff', {}),
    check('data-disk', 'volume', { drive: 'D:' }),
  ],
}

/** Prepared as an image, and not joined yet. */
export async function installed(host: Host): Promise<void> {
  await host.ps(
    "Set-HostFact -Name Volumes -Value @(@{ DeviceID = 'D:'; DriveType = 3; FileSystem = 'NTFS'; Size = 100GB; FreeSpace = 90GB })",
  )
  await install(host)
}

export async function member(host: Host, drive: string): Promise<void> {
  await installed(host)
  bring(drive)
  succeeded(await host.run('Join', { Token: token }))
  await host.ps('Start-Sleep -Seconds 60')
}

/** What Export writes now. */
export async function reportOf(host: Host, drive: string): Promise<JsonObject> {
  await host.ps(`$null = & C:\\win-node\\Export-WinNodeReport.ps1 -AsJson`)
  const file = path.join(drive, 'var/log/winnode/winnode-report.json')
  const { endpoint } = await host.cluster()
  return told(JSON.parse(readFileSync(file, 'utf8')) as JsonObject, { endpoint, drive })
}
