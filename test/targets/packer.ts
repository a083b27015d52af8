// Packer, where it is on PATH: 1.6.6 of Debian reads whole templates without a network.
import { spawnSync } from 'node:child_process'

const starts = spawnSync('packer', ['version'], { stdio: 'ignore' }).status === 0

/** A reason to skip, or false. */
export const packerMissing: string | false =
  !starts && 'packer is not on PATH: templates were not given to it'

export function packer(argv: readonly string[], cwd: string) {
  const env = { ...process.env, PACKER_NO_COLOR: '1', CHECKPOINT_DISABLE: '1' }
  const { status, stdout, stderr } = spawnSync('packer', argv, { cwd, env, encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}
