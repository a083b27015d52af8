// Describes the build: name, version, commit, and the day of the tables.
import { spawnSync } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'

/** `commit` is null outside of a checkout, or where files differ from the commit. */
export async function describeOrigin(root, tables) {
  const { name, version, description } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  )
  return { name, version, description, commit: await commitOf(root), tables }
}

async function commitOf(root) {
  const git = (...words) => spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--show-toplevel', 'HEAD')
  if (status !== 0) return null
  const [top, commit] = stdout.trim().split('\n')
  // An unpacked package may be inside another project's checkout.
  if ((await realpath(top)) !== (await realpath(root))) return null
  const changed = git('status', '--porcelain', '--untracked-files=no')
  return changed.status === 0 && changed.stdout === '' ? commit : null
}
