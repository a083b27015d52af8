// Runs scripts in the PowerShell editions that are installed.
import { spawnSync } from 'node:child_process'

/** `pwsh` is PowerShell 7; `powershell` is Windows PowerShell 5.1, which Windows Server includes. */
export const editions = ['pwsh', 'powershell'] as const
export type Edition = (typeof editions)[number]

const found = new Map(editions.map((edition) => [edition, starts(edition)]))

/** The reason to skip tests in an edition; false if it is on PATH. */
export function missing(edition: Edition): string | false {
  return found.get(edition) === true
    ? false
    : `${edition} is not on PATH: node side not tested in it`
}

/** Runs a script and returns its output; throws with the output if it fails. */
export function runScript(edition: Edition, script: string, args: readonly string[] = []): string {
  const flags = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File']
  const { status, stdout, stderr } = spawnSync(edition, [...flags, script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${script} returned ${status}: ${stderr}${stdout}`)
  return stdout
}

function starts(edition: Edition): boolean {
  const command = ['-NoProfile', '-NonInteractive', '-Command', 'exit 0']
  return spawnSync(edition, command, { stdio: 'ignore' }).status === 0
}
