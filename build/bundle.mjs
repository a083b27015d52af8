// Bundles with esbuild: pieces of the source that the build itself runs, and the program.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { slimOclif } from './slim-oclif.mjs'

const shared = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  splitting: true,
}

/** Modules of `src` by name, ready to run; packages stay where they are. `generated` are files by their alias. */
export async function bundleSource(root, folder, entryPoints, generated) {
  await esbuild.build({
    ...shared,
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    // Written by the build that runs these pieces: on a first build they are not there yet.
    external: ['#manifest', '#origin', '#templates'],
    plugins: [resolveGenerated(({ alias }) => generated[alias])],
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
  await writeScripts(root, outdir, generated, outputFiles)
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
    alias: {
      // What `yaml` gives to all but Node: ES modules, of which nothing is left but what is used.
      yaml: './node_modules/yaml/browser/index.js',
      ...Object.fromEntries(unreached.map((name) => [name, './build/unreached.cjs'])),
    },
    plugins: [
      resolveGenerated(({ alias }) => path.join(generated, `${alias}.js`)),
      writtenAsJson(root, path.join(generated, 'data.json')),
      slimOclif(),
    ],
    logLevel: 'warning',
    ...options,
  })
}

/**
 * Two scripts, as two are read sooner than a hundred: `program.cjs` is an object of functions by the names of their
 * modules; `main.cjs` begins it.
 */
async function writeScripts(root, outdir, generated, files) {
  const modules = await Promise.all(files.map(asFunction))
  const program = inLatin1('program.cjs', `({\n${modules.join(',\n')}\n})\n`)
  await mkdir(outdir, { recursive: true })
  await writeFile(path.join(outdir, 'program.cjs'), program)
  await esbuild.build({
    bundle: true,
    format: 'cjs',
    platform: shared.platform,
    target: shared.target,
    absWorkingDir: root,
    entryPoints: ['src/start/main.ts'],
    outfile: path.join(outdir, 'main.cjs'),
    minify: true,
    plugins: [resolveGenerated(({ alias }) => path.join(generated, `${alias}.js`))],
    logLevel: 'warning',
  })
}

/** One byte for each character, which is read four times as fast as UTF-8. */
function inLatin1(name, text) {
  if (/[^\0-\xff]/.test(text)) throw new Error(`${name} holds a character beyond Latin-1`)
  return Buffer.from(text, 'latin1')
}

/** esbuild splits ES modules only. */
async function asFunction({ path: file, text }) {
  const { code } = await esbuild.transform(text, {
    format: 'cjs',
    platform: 'node',
    target: shared.target,
    minify: true,
    supported: { 'dynamic-import': false },
  })
  return `${JSON.stringify(path.basename(file))}:function(exports,require,module,__filename,__dirname){${code}}`
}

/** What the build has written, of this build and not of the one before. */
function resolveGenerated(fileOf) {
  return {
    name: 'generated',
    setup(build) {
      build.onResolve({ filter: /^#\w+$/ }, ({ path: alias }) => {
        const file = fileOf({ alias: alias.slice(1) })
        return file && { path: file }
      })
    },
  }
}

/** A text that V8 parses is there sooner than objects that it compiles: https://v8.dev/blog/cost-of-javascript-2019#json */
function writtenAsJson(root, file) {
  return {
    name: 'data as JSON',
    async setup(build) {
      const data = JSON.parse(await readFile(file, 'utf8'))
      build.onLoad({ filter: /[\\/]src[\\/]matrix[\\/].*\.ts$/ }, ({ path: module }) => {
        const exports = data[path.relative(root, module).replaceAll(path.sep, '/')]
        return exports && { contents: Object.entries(exports).map(asJson).join('\n') }
      })
    },
  }
}

function asJson([name, value]) {
  const text = JSON.stringify(JSON.stringify(value))
  return `export const ${name} = /* @__PURE__ */ JSON.parse(${text})`
}
