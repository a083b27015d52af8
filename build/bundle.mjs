// Bundles with esbuild: pieces of the source that the build itself runs, and the program.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { lazyRequires } from './lazy-requires.mjs'

const shared = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  splitting: true,
}

/** Modules of `src` by name, ready to run; packages stay where they are. */
export async function bundleSource(root, folder, entryPoints) {
  await esbuild.build({
    ...shared,
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    // Written by the build that runs these pieces: on a first build they are not there yet.
    external: ['#manifest', '#origin', '#templates'],
    logLevel: 'warning',
  })
  const load = async (name) => [
    name,
    await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href),
  ]
  return Object.fromEntries(await Promise.all(Object.keys(entryPoints).map(load)))
}

/**
 * Parts of oclif that a plugin in memory never reaches. Leaving them out saves a sixth of the
 * start, and on Windows the PowerShell that wsl-utils would start on every run.
 */
const unreached = ['lilconfig', 'minimatch', 'tinyglobby', 'wsl-utils']

/** Writes the program and gives esbuild's account of it, with paths as they are in dist. */
export async function bundleProgram(root, outdir, generated) {
  const { metafile, outputFiles } = await bundleModules(root, outdir, generated, {
    outExtension: { '.js': '.cjs' },
    metafile: true,
    write: false,
  })
  await Promise.all(outputFiles.map(writeCommonJs))
  const text = JSON.stringify(metafile).replaceAll(`${path.basename(outdir)}/`, 'dist/')
  return JSON.parse(text)
}

/** The program as ES modules: `main`, and what it loads on demand in `chunks`. */
export function bundleModules(root, outdir, generated, options) {
  return esbuild.build({
    ...shared,
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    minify: true,
    legalComments: 'none',
    // oclif requires it only to read a tsconfig; inlined, it would be most of the program.
    external: ['typescript'],
    alias: Object.fromEntries(unreached.map((name) => [name, './build/unreached.cjs'])),
    plugins: [resolveGenerated(generated), lazyRequires()],
    logLevel: 'warning',
    ...options,
  })
}

/** esbuild splits ES modules only, and V8 keeps what it compiled of scripts only. */
async function writeCommonJs({ path: file, text }) {
  const { code } = await esbuild.transform(text, {
    format: 'cjs',
    platform: 'node',
    target: shared.target,
    minify: true,
    supported: { 'dynamic-import': false },
  })
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, code)
}

/** `#manifest`, `#origin` and `#templates` of this build, not of the one before. */
function resolveGenerated(generated) {
  return {
    name: 'generated',
    setup(build) {
      build.onResolve({ filter: /^#(manifest|origin|templates)$/ }, (args) => ({
        path: path.join(generated, `${args.path.slice(1)}.js`),
      }))
    },
  }
}
