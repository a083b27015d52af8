// Bundles with esbuild: modules for the build itself, the program for Node, and the program for the executable.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
}

/** Imports modules of `src` by name; generated modules in `alias` are bundled and the others stay external, as packages do. */
export async function bundleSource(root, folder, entryPoints, alias = {}) {
  await esbuild.build({
    ...shared,
    format: 'esm',
    splitting: true,
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // An error names the file and line of src.
    sourcemap: 'inline',
    sourcesContent: false,
    packages: 'external',
    alias,
    external: ['#manifest', '#origin', '#templates'],
  })
  const load = async (name) => [
    name,
    await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href),
  ]
  return Object.fromEntries(await Promise.all(Object.keys(entryPoints).map(load)))
}

const program = {
  ...shared,
  minify: true,
  legalComments: 'none',
  // oclif requires it only to read a tsconfig, which a bundled program does not have.
  external: ['typescript'],
}

/** For Node: one CommonJS file with a source map, and compile-cache, which is loaded before it. Returns the metafile. */
export async function bundleProgram(root, outdir, generated) {
  const { metafile } = await esbuild.build({
    ...program,
    format: 'cjs',
    // fdir makes a `require` with it, which looks for picomatch only for the globs of fdir itself.
    define: { 'import.meta.url': '"file:///"' },
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts', 'compile-cache': 'src/compile-cache.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    plugins: [resolveGenerated(generated)],
  })
  const text = JSON.stringify(metafile).replaceAll(`${path.basename(outdir)}/`, 'dist/')
  return JSON.parse(text)
}

/** For Bun, which compiles ES modules: `main`, and the modules that it imports on demand in `chunks`. */
export function bundleModules(root, outdir, generated, options) {
  return esbuild.build({
    ...program,
    format: 'esm',
    splitting: true,
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [resolveGenerated(generated)],
    ...options,
  })
}

/** Resolves `#name` to a module that this build generated, as package.json would name that of the previous build. */
function resolveGenerated(folder) {
  return {
    name: 'generated',
    setup(build) {
      build.onResolve({ filter: /^#\w+$/ }, ({ path: alias }) => ({
        path: path.join(folder, `${alias.slice(1)}.js`),
      }))
    },
  }
}
