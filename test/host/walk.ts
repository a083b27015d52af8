// Runs the lines of a bundle’s README.md on the simulated machine, in order.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bring, token } from './course.ts'
import type { Host } from './host.ts'

export interface Line {
  readonly text: string
  /** Its exit code, once no restart is required. */
  readonly code: number
}

/** Files that must exist before Install, and before Join. */
interface Files {
  readonly first: readonly string[]
  readonly later: readonly string[]
  /** What stands in some of them, by their names without the folder. */
  readonly texts: Readonly<Record<string, string>>
}

/** The lines that a page has for PowerShell, in order. */
const powershellLines = (page: string): readonly string[] =>
  [...page.matchAll(/^```powershell\n([^]*?)^```$/gm)].flatMap(([, text = '']) =>
    text.split('\n').filter((line) => line !== ''),
  )

/** Copies the files of cluster/README.md to a share, here a folder of C:; a shell may have created them. */
function share(drive: string, page: string): void {
  if (existsSync(path.join(drive, 'for-the-nodes'))) return
  const names = [...page.matchAll(/-ChildPath '([^']+)'/g)].map(([, name = '']) => name)
  bring(
    drive,
    names.map((name) => `C:\\for-the-nodes\\${name}`),
  )
  mkdirSync(path.join(drive, 'for-the-nodes'), { recursive: true })
  writeFileSync(path.join(drive, 'for-the-nodes/token'), `${token}\n`)
}

/** Runs the lines up to the one that takes all back; after 3010 the machine restarts, and the same line runs again. */
export async function walk(
  host: Host,
  drive: string,
  { first, later, texts }: Files,
): Promise<readonly Line[]> {
  bring(drive, first)
  const page = readFileSync(path.join(drive, 'win-node/README.md'), 'utf8')
  share(drive, page)
  const done: Line[] = []
  let from = ''
  for (const text of powershellLines(page)) {
    // A restart is due where a line before said 3010.
    if (text === 'Restart-Computer') continue
    if (text.startsWith('.\\Reset')) break
    // A DaemonSet creates its network after the join; the page says to wait until the Node is Ready.
    // With Calico's backend none, the first pod's ADD does.
    if (text.startsWith('.\\Test'))
      await host.ps('Start-Sleep -Seconds 100; Add-HostFirstPod; Start-Sleep -Seconds 20')
    if (text.startsWith('$from')) from = text
    // Files that the page does not copy are from the author of the profile.
    if (text.startsWith('$from'))
      for (const file of later.filter((one) => !page.includes(`-Destination '${one}'`)))
        bring(drive, [file], texts[path.win32.basename(file)])
    let code = await run(host, text)
    while (code === 3010) {
      await host.restart()
      // A window that was open is gone, and what was said in it: the page asks for that line again.
      await host.ps('Remove-Variable -Name from -ErrorAction Ignore')
      if (text.includes('$from')) await run(host, from)
      code = await run(host, text)
    }
    done.push({ text, code })
  }
  return done
}

/** In the folder of the bundle; what it sets stays, as in a window that is open. */
async function run(host: Host, text: string): Promise<number> {
  return host.ps<number>(
    `Push-Location -LiteralPath 'C:\\win-node'
    $global:LASTEXITCODE = 0
    $path = $env:Path
    try { . ([scriptblock]::Create($with.text)) *>$null } finally { $env:Path = $path; Pop-Location }
    $global:LASTEXITCODE`,
    { text },
  )
}
