// docs/dependencies.md: the reason of each dependency, its license, and the size that it adds to the program.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pjson from '../../package.json' with { type: 'json' }
import { root } from '../tools/run.ts'
import { code, page, table } from './markdown.ts'

const reasons: Readonly<Record<keyof (typeof pjson)['devDependencies'], string>> = {
  '@cyclonedx/cyclonedx-library': 'The schemas of CycloneDX, for tests of `winnode bom`.',
  '@eslint/js': 'The rules of ESLint that everybody shares.',
  '@inquirer/input':
    'The questions of `winnode init` whose answer is typed. The newest line that runs on Node.js 20.',
  '@inquirer/search': 'The questions with choices, which are filtered by what is typed.',
  '@lydell/node-pty':
    'A pseudo-terminal, for tests of whole sessions. It contains its binaries, so that an install needs no compiler.',
  '@marcbachmann/cel-js':
    'Evaluates CEL: the admission policy of flannel and the rules of CRDs, in tests. Kubernetes evaluates it with cel-go.',
  '@oclif/core': 'Command line: flags, help. 4.14.0, as 5 does not run on Node.js 20.',
  '@types/node': 'Types of Node.js 20, the oldest that winnode runs on.',
  '@types/semver': 'Types of semver.',
  '@valibot/to-json-schema': 'The JSON Schema of profiles, from the same table that checks them.',
  '@xterm/headless':
    'A screen behind the pseudo-terminal: what a person sees, for the session that README.md shows.',
  ajv: 'Validates with published JSON schemas, in tests.',
  'ajv-formats': 'Formats of these schemas.',
  bun: 'Makes the executables, and is inside them; no part of the package. `npm ci` installs it for the system that it runs on, `npm run executables` fetches it for the others.',
  diff: 'Writes `render --diff` as a patch that `git apply` takes.',
  esbuild: 'Bundles the program into one file, so that an install is one package.',
  eslint: 'Finds what the compiler lets pass.',
  'eslint-plugin-import-x':
    'Which room of the program imports which: the layers, and no circles. The rules are `levels` in eslint.config.js.',
  'fast-check': 'Property tests: hostile values through every quoting and parsing.',
  'fast-string-truncated-width': 'How many columns of a terminal a text takes.',
  'fast-wrap-ansi': 'Wraps text to the width of a terminal. Both are what inquirer uses.',
  fflate:
    'Archives of `render --for`. Written in JavaScript, so that each version of Node.js gives the same bytes, as its own zlib does not. Loaded for these targets only.',
  handlebars: 'Templates. The build compiles them; only the small runtime is bundled.',
  prettier: 'One format for every file, checked by `npm test`.',
  'process-on-spawn':
    'What tap adds to each process that a test starts, to measure its coverage; `test/tools/tsx.mjs` takes that out again. The version that tap has.',
  publint: 'Checks that the package is what its package.json says.',
  semver: 'Compares versions and reads ranges; imported in one file.',
  'smol-toml': 'Reads config.toml of a bundle for `winnode drift`, and rendered TOML in tests.',
  'spdx-license-list':
    'The texts of the licences of Bun, whose packages hold none, for the executables and for a release.',
  tap: 'Runs the tests.',
  'tap-parser': 'Reads the results of tap, to count every failure and skip.',
  tinyglobby:
    'The files of a folder or a glob that `validate`, `render` and `drift` are given; Node.js 20 has no glob. Loaded for these only.',
  tsx: 'Lets Node.js 20 run tests in TypeScript, in a third less CPU time than ts-node, which tap contains. From Node.js 22 on, `type-strip-only` of tap can take its place.',
  typescript: 'Checks the types. It does not compile: esbuild takes the types out.',
  'typescript-eslint': 'Rules of ESLint that know the types.',
  valibot:
    'The table of fields: kinds, defaults, descriptions. Small, because only what is used is bundled.',
  yaml: 'Reads profiles with the place of each value, which every message needs.',
}

/** Their newer versions do not run on Node.js 20. */
const heldBack: readonly (keyof (typeof pjson)['devDependencies'])[] = [
  '@oclif/core',
  '@inquirer/input',
  '@inquirer/search',
]
const nodes = code(pjson.engines.node)

const intro = `# Dependencies

winnode has no dependency at run time: \`npm install winnode\` installs one package. What it needs is
bundled into \`dist/\` by the build, with every licence in \`dist/THIRD-PARTY.txt\`. Versions are exact,
except for types, and the lockfile names no address.

Clusters are read with one program that must be installed: kubectl, 1.20 or newer, for \`init --from-cluster\` and
\`drift --kubeconfig\`. It knows kubeconfigs, exec plugins, proxies and certificates as the rest of the cluster’s tools do;
\`@kubernetes/client-node\` is nearly as large as winnode, and our own client was 1,700 lines. A kubeconfig without
kubectl is rare.

The size is what a package adds to the program, minified, rounded to 10 kB. Packages of the tests and of
the build add nothing. This page is made from \`package.json\` and the account that the build gives.

winnode runs on Node.js ${nodes}. It supports Node.js 20 (end of life: 2026-04-30) until
2027-04-30. Then the packages whose newer versions do not run on it are updated: ${heldBack.map(code).join(', ')}.`

export function dependenciesPage(): string {
  const sizes = bundledSizes()
  const rows = Object.entries(reasons).map(([name, why]) => [
    code(name),
    licenceOf(name),
    sizes.has(name) ? rounded(sizes.get(name) ?? 0) : 'none',
    why,
  ])
  const others = [...sizes].filter(([name]) => !(name in reasons))
  const rest = others.reduce((sum, [, bytes]) => sum + bytes, 0)
  return page([
    intro,
    table(['Package', 'Licence', 'Adds', 'Reason'], rows),
    `Packages that these depend on add ${rounded(rest)}: ${others
      .map(([name]) => code(name))
      .toSorted()
      .join(', ')}.`,
  ])
}

function licenceOf(name: string): string {
  const text = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')
  const { license }: { license?: string } = JSON.parse(text)
  return license ?? 'none named'
}

const rounded = (bytes: number) => `${Math.max(1, Math.round(bytes / 10_000)) * 10} kB`

/** Bytes of each package in the program. */
function bundledSizes(): ReadonlyMap<string, number> {
  const text = readFileSync(path.join(root, 'dist/generated/metafile.json'), 'utf8')
  const {
    outputs,
  }: { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> } =
    JSON.parse(text)
  const sizes = new Map<string, number>()
  for (const { inputs } of Object.values(outputs))
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]
      if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput)
    }
  return sizes
}
