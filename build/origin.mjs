// Describes the build: name, version, commit, and the day of the newest table row.
import { spawnSync } from 'node:child_process'
import { readdir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'

/** `commit` is null outside of a checkout, or where files differ from the commit. */
export async function describeOrigin(root) {
  const { name, version, description } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  )
  const tables = await newestCheck(path.join(root, 'src/matrix'))
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

/** The latest day on which a row was compared with its source. */
async function newestCheck(folder) {
  const names = await readdir(folder, { recursive: true })
  const days = names
    .filter((name) => name.endsWith('.ts'))
    .map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8')
      return [...text.matchAll(/\bchecked\b\s*[:=]\s*'(\d{4}-\d\d-\d\d)'/g)].map(([, day]) => day)
    })
  return (await Promise.all(days)).flat().sort().at(-1)
}
