// Runs one case with one program in a new folder, and returns its exit code, output and files.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The environment of a case, without variables of the user or of the test run. */
const { PATH, SystemRoot } = process.env
const usual = { PATH, ...(SystemRoot && { SystemRoot }), LANG: 'C.UTF-8', TZ: 'UTC' }

/** `program` is a command line; the folder is recreated, so that all programs see the same paths. */
export async function outcomeOf(
  program,
  { argv = [], files = {}, stdin = '', env = {}, script },
  folder,
) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.join(folder, 'home'), { recursive: true })
  for (const [name, content] of Object.entries(files)) await put(path.join(folder, name), content)
  const own = { ...usual, HOME: path.join(folder, 'home'), ...env }
  const [command, ...words] = script ? ['sh', '-c', script, ...program] : program
  const child = spawn(command, [...words, ...argv], { cwd: folder, env: own })
  child.stdin.on('error', () => undefined).end(stdin)
  const [stdout, stderr] = [child.stdout, child.stderr].map(gather)
  const [code, signal] = await once(child, 'close')
  return { code, signal, stdout: stdout(), stderr: stderr(), files: await filesOf(folder) }
}

/** Text, bytes, `{ link }`, or `{}` for an empty folder. */
async function put(file, content) {
  await mkdir(path.dirname(file), { recursive: true })
  if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(file, content)
  else if (content.link) await symlink(content.link, file)
  else await mkdir(file)
}

function gather(stream) {
  const chunks = []
  stream.on('data', (chunk) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** The case with a folder for Node's compile cache, outside of the compared files. */
export function withCache(one, folder) {
  return { ...one, env: { ...one.env, XDG_CACHE_HOME: folder } }
}

/** Digests by path. */
async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter((entry) => !entry.isDirectory())
      .map(async (entry) => {
        const place = path.join(entry.parentPath, entry.name)
        const content = entry.isSymbolicLink() ? await readlink(place) : await readFile(place)
        return [path.relative(folder, place), createHash('sha256').update(content).digest('hex')]
      }),
  )
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}
