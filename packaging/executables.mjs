// `npm run executables`: makes an executable for each system, in `release/`.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareAll } from './compare.mjs'
import { compile, stage } from './executables/compile.mjs'
import { installedBun, runtimeFor } from './executables/runtime.mjs'
import { fileOf, systems } from './executables/systems.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = path.join(root, 'release')

const usage = `Usage: npm run executables              one for each system whose Bun can be had
       npm run executables -- NAME...   these: ${systems.map(({ name }) => name).join(' ')}
       npm run executables -- --compare FILE [NODE...]   with the program on this Node, and on others`

async function makeAll(wanted, bun) {
  const staged = path.join(release, `staged.${process.pid}`)
  let skipped = 0
  try {
    await stage(root, staged)
    for (const system of wanted) {
      const runtime = await runtimeFor(system, {
        root,
        folder: path.join(release, 'runtimes'),
      }).catch(tell(system))
      if (!runtime) skipped += 1
      else await make(bun, { system, runtime, staged })
    }
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
  return skipped
}

async function make(bun, { system, runtime, staged }) {
  const file = path.join(release, fileOf(system))
  await compile(bun, { system, runtime, staged, file })
  const bytes = await readFile(file)
  const sum = createHash('sha256').update(bytes).digest('hex')
  console.log(
    `${system.name.padEnd(16)}${(bytes.length / 1e6).toFixed(1).padStart(6)} MB  sha256:${sum}`,
  )
}

function tell({ name }) {
  return ({ message }) => console.log(`${name.padEnd(16)}skipped: ${message}`)
}

async function run(words) {
  if (words[0] === '--compare' && words.length > 1) {
    const [, file, ...nodes] = words
    return (await compareAll(root, path.resolve(file), [process.execPath, ...nodes])) === 0 ? 0 : 1
  }
  const unknown = words.filter((word) => !systems.some(({ name }) => name === word))
  if (unknown.length > 0) {
    console.error(usage)
    return 2
  }
  const bun = installedBun(root)
  if (!bun || !existsSync(path.join(root, 'dist/main.cjs'))) {
    console.error(
      `there is no ${bun ? 'program yet: npm run build' : 'Bun for this system: npm ci installs it'}`,
    )
    return 1
  }
  await mkdir(release, { recursive: true })
  const wanted = words.length > 0 ? systems.filter(({ name }) => words.includes(name)) : systems
  const skipped = await makeAll(wanted, bun)
  // A named system that is skipped is an error; without names, only if all are skipped.
  return skipped > 0 && (words.length > 0 || skipped === wanted.length) ? 1 : 0
}

process.exitCode = await run(process.argv.slice(2))
