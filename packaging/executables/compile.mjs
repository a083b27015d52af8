// Compiles the built program and its assets into one executable with Bun.
import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleModules } from '../../build/bundle.mjs'
import { licencesOfBun } from '../licences.mjs'
import { signAdHoc } from './sign.mjs'
import { faultOfSignature } from './signature.mjs'
import { isWindows } from './systems.mjs'

/** Files that the program reads by path, relative to its root. */
const assets = [
  ...['profiles', 'dist/node', 'dist/packer', 'dist/THIRD-PARTY.txt'],
  ...['docs/profile.schema.json', 'LICENSE'],
]

/** Generated for the executable only. */
const licences = 'packaging/BUN.txt'

/**
 * Configuration that the executable must not load from the current folder, which others may write to:
 * https://bun.com/docs/bundler/executables#automatic-config-loading
 */
const unread = ['dotenv', 'bunfig', 'tsconfig', 'package-json']

/** Stages code and assets in a folder in which Bun then runs: file names become part of the executable. */
export async function stage(root, folder) {
  await bundleModules(root, path.join(folder, 'dist'), path.join(root, 'dist/generated'), {
    outExtension: { '.js': '.mjs' },
    // Bun would replace __dirname by the folder of the build.
    define: { __dirname: 'Bun.main' },
  })
  await cp(path.join(root, 'packaging/executables/entry.mjs'), path.join(folder, 'entry.mjs'))
  for (const name of assets) {
    await cp(path.join(root, name), path.join(folder, 'assets', name), { recursive: true })
  }
  const file = path.join(folder, 'assets', licences)
  await mkdir(path.dirname(file))
  await writeFile(file, await licencesOfBun(root))
}

/**
 * Code must run this many times more often than by default before the JIT compiles it: most runs are too short to gain
 * from it. https://bun.com/reference/bun/CompileBuildOptions/jitPolicy
 */
const jitPolicy = 100

export async function compile(bun, { system, runtime, staged, file }) {
  const outfile = path.join(staged, 'out', isWindows(system) ? 'winnode.exe' : 'winnode')
  await rm(path.dirname(outfile), { recursive: true, force: true })
  const tops = [...new Set([...assets, licences].map((name) => name.split('/')[0]))]
  const argv = [
    ...['build', '--compile', '--bytecode', '--format=esm', '--splitting'],
    ...unread.map((one) => `--no-compile-autoload-${one}`),
    ...tops.flatMap((top) => ['--asset', `./assets/${top}`]),
    `--compile-jit-policy=${jitPolicy}`,
    `--target=${system.target}`,
    `--compile-executable-path=${runtime}`,
    `--outfile=${outfile}`,
    './entry.mjs',
  ]
  const { status, stdout, stderr } = spawnSync(bun, argv, {
    cwd: staged,
    env: {},
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Bun made no ${system.name}\n${stdout}${stderr}`)
  if (system.name.startsWith('darwin')) await checkSignature(outfile)
  await cp(outfile, file)
}

/** Bun signs executables for Apple silicon only. */
async function checkSignature(file) {
  const bytes = await readFile(file)
  if (faultOfSignature(bytes) === undefined) return
  const signed = signAdHoc(bytes)
  const fault = faultOfSignature(signed)
  if (fault !== undefined) throw new Error(`${file} cannot be signed: ${fault}`)
  await writeFile(file, signed)
}
