// Packer's provisioners, one after the other, over a simulated machine: what they upload, run, allow and download.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Host } from './host.ts'

export interface Provisioner {
  readonly type: string
  readonly settings: Readonly<Record<string, string>>
}

/** The provisioners of a template as winnode writes it, in order; settings as they are written. */
export function provisionersOf(template: string): readonly Provisioner[] {
  const blocks = template.matchAll(/^ {2}provisioner "([\w-]+)" \{\n([^]*?)^ {2}\}$/gm)
  return [...blocks].map(([, type = '', body = '']) => ({
    type,
    settings: Object.fromEntries(
      [...body.matchAll(/^ {4}(\w+) += (.*)$/gm)].map(([, name = '', text = '']) => [name, text]),
    ),
  }))
}

export interface Provisioned {
  readonly ran: readonly string[]
  /** Exit codes of scripts, in their order. */
  readonly codes: readonly number[]
  /** Why the build ended early. */
  readonly failure: string | undefined
}

/** `folder` holds the template; stops where Packer would. */
export async function provision(
  host: Host,
  drive: string,
  folder: string,
  provisioners: readonly Provisioner[],
): Promise<Provisioned> {
  const local = (text = '') => JSON.parse(text).replace('${path.root}', folder)
  const remote = (text = '') => path.join(drive, JSON.parse(text).replace(/^C:/, ''))
  const ran: string[] = []
  const codes: number[] = []
  for (const { type, settings } of provisioners) {
    const { source, destination, direction } = settings
    if (type === 'windows-restart') {
      ran.push('restart')
      await host.restart()
    } else if (type === 'file' && direction === '"download"') {
      ran.push(`download ${path.posix.basename(local(destination))}`)
      writeFileSync(local(destination), readFileSync(remote(source)))
    } else if (type === 'file') {
      // A slash at the end: what is in the folder, not the folder.
      ran.push('upload')
      mkdirSync(remote(destination), { recursive: true })
      cpSync(local(source), remote(destination), { recursive: true })
    } else {
      const script: string = local(settings['script'])
      const code = await runScript(host, drive, script)
      ran.push(path.basename(script))
      codes.push(code)
      const allowed: readonly number[] = JSON.parse(settings['valid_exit_codes'] ?? '[0]')
      if (!allowed.includes(code))
        return { ran, codes, failure: `${path.basename(script)} exited with ${code}` }
    }
  }
  return { ran, codes, failure: undefined }
}

/** As a file on the machine, as the powershell provisioner does it. */
async function runScript(host: Host, drive: string, script: string): Promise<number> {
  const name = 'C:\\Windows\\Temp\\script-packer.ps1'
  const file = path.join(drive, name.slice(2).replaceAll('\\', '/'))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, readFileSync(script))
  return host.ps<number>(
    `$global:LASTEXITCODE = 0
    $path = $env:Path
    try { & $with.name *>$null } finally { $env:Path = $path }
    $global:LASTEXITCODE`,
    { name },
  )
}
