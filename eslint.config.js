// What the linter asks for, beyond what the compiler and the formatter do.
import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'
import { noPluginName } from './build/plugin-names.mjs'

/**
 * The rooms of src, from the lowest level to the highest, each with the packages that it may import. A room imports
 * from the levels below its own, and from itself; never from its neighbours. ARCHITECTURE.md has the purpose of each.
 */
const levels = [
  { go: [], net: [], text: [] },
  { model: ['valibot'] },
  { matrix: ['#minors', '#tables', 'semver'] },
  { report: [] },
  { sizing: ['#tables'], cni: ['valibot'], addons: [] },
  { downloads: [] },
  { components: [] },
  { profile: ['@valibot/to-json-schema', 'valibot'], rules: [], artifacts: [], steps: [] },
  { check: [], plan: [], render: ['#templates', 'handlebars'] },
  { compile: [] },
  { drift: [], doctor: [], targets: ['fflate'], upgrade: [], support: [], workloads: [] },
  { smoke: [] },
  {
    present: ['fast-string-truncated-width', 'fast-wrap-ansi', 'node:util'],
    io: [
      'diff',
      'fast-wrap-ansi',
      'node:buffer',
      'node:crypto',
      'node:fs',
      'node:os',
      'node:path',
      'node:stream',
      'node:timers',
      'node:util',
      'smol-toml',
      'tinyglobby',
      'yaml',
    ],
    wizard: [],
  },
  {
    prompts: [
      '@inquirer/input',
      '@inquirer/search',
      'node:readline',
      'node:stream',
      'node:timers',
      'node:tty',
      'node:util',
    ],
    cluster: ['node:child_process', 'node:crypto', 'node:fs', 'node:net', 'node:path'],
  },
  {
    commands: [
      '#manifest',
      '@oclif/core',
      'node:buffer',
      'node:fs',
      'node:path',
      'node:timers',
      'node:util',
    ],
  },
  { version: ['#origin'] },
  {
    main: ['#origin', 'node:url'],
    'compile-cache': ['node:fs', 'node:module', 'node:os', 'node:path', 'node:v8'],
  },
]
const roomNames = levels.flatMap(Object.keys)

/** Rooms that meet the system; to all others the same question gets the same answer. */
const edge = ['io', 'prompts', 'cluster', 'commands', 'version', 'main', 'compile-cache']

const filesOf = (rooms) => rooms.flatMap((room) => [`src/${room}.ts`, `src/${room}/**/*.ts`])
const pathsOf = (rooms) => rooms.flatMap((room) => [`./${room}`, `./${room}.ts`])

const zones = levels.flatMap((level, index) =>
  Object.keys(level).map((room) => ({
    target: [`./src/${room}`, `./src/${room}.ts`],
    from: './src',
    except: pathsOf([room, ...levels.slice(0, index).flatMap(Object.keys)]),
    message: 'A room imports from the levels below it: see `levels` in eslint.config.js.',
  })),
)

/** What makes an answer depend on anything but the question. */
const impure = {
  'no-restricted-globals': [
    'error',
    ...['process', 'console', 'Date', 'performance', 'globalThis', 'Intl'].map((name) => ({
      name,
      message: 'Only the rooms at the edge meet the system: see `edge` in eslint.config.js.',
    })),
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Math', property: 'random', message: 'The same input gives the same bytes.' },
    ...['localeCompare', 'toLocaleString', 'toLocaleUpperCase', 'toLocaleLowerCase'].map(
      (property) => ({
        property,
        message: 'The answer would depend on the language of the system.',
      }),
    ),
  ],
}

/** Names that hold versions. */
const version = '/^(version|apiServer|kubeProxy|kubeadm|crictl|minor|newestPatch)$/'
const ofVersion = (object) =>
  `CallExpression[callee.property.name=/^(split|startsWith|endsWith|localeCompare|match|slice|substring)$/]${object}`

const refusedSyntax = [
  {
    // https://github.com/nodejs/node/issues/57736
    selector: "MemberExpression[object.name='AbortSignal'][property.name='any']",
    message: 'Node may lose a timeout in it; use one AbortController.',
  },
  {
    // A question that a table cannot answer gets no answer of another row: a `Record` over the names has all.
    selector:
      "LogicalExpression[operator='??'] > MemberExpression.right[computed=true][property.value=0]",
    message: 'The first row is no substitute for a missing one.',
  },
  ...[
    ofVersion(`[callee.object.property.name=${version}]`),
    ofVersion(`[callee.object.name=${version}]`),
    'BinaryExpression > Literal[value=/^v?\\d+\\.\\d+(\\.\\d+)?$/]',
  ].map((selector) => ({
    selector,
    message: 'Versions are compared in src/matrix: ask for a trait, or give it a row.',
  })),
  ...['Array', 'Object'].map((kind) => ({
    selector: `${kind}Expression > SpreadElement > ${kind}Expression`,
    message: 'Write the elements out.',
  })),
  {
    selector: "CallExpression[callee.name='inRange'] > Literal",
    message: 'A range is a row of a table, with its source.',
  },
]
const ownFileName = {
  selector: 'Literal[value=/^(win)?node\\.json$/]',
  message: 'Take the name from model/bundle-path.ts.',
}
const today = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'The day is read in commands/base.ts, and passed on.',
}
const directOutput = {
  selector:
    "CallExpression[callee.object.property.name=/^std(out|err)$/][callee.property.name='write']",
  message: 'A command speaks by this.print and this.printStatus of commands/base.ts.',
}

/** Options of rules that name what a room may import; the last one that matches a file holds. */
const roomRules = levels.flatMap(Object.entries).map(([room, packages]) => {
  const others = `^(?!\\.|(?:${packages.join('|') || '$'})(?:/|$))`
  return {
    files: filesOf([room]),
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: others,
              message: 'A room imports the packages that `levels` in eslint.config.js gives it.',
            },
            ...(room === 'matrix'
              ? []
              : [
                  {
                    regex: 'matrix/version\\.ts$',
                    allowImportNames: ['isPartial', 'parseVersion'],
                    message: 'Versions are compared in the tables alone.',
                  },
                ]),
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...refusedSyntax,
        ...(room === 'model' ? [] : [ownFileName]),
        today,
        ...(room === 'commands' ? [directOutput] : []),
        {
          selector: `ImportExpression > Literal[value=/${others.replaceAll('/', '\\/')}/]`,
          message: 'A room imports the packages that `levels` in eslint.config.js gives it.',
        },
      ],
    },
  }
})

const nodeGlobals = [
  'Buffer',
  'URL',
  '__dirname',
  'console',
  'module',
  'performance',
  'process',
  'setTimeout',
]

const subtest = 'PromiseWithSubtest'

const unsafe = ['argument', 'assignment', 'call', 'member-access', 'return']

export default defineConfig(
  { ignores: ['dist/', 'dist.*/', 'release/', '.tap/', 'win-node/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      // A value keeps its type; only values from JSON are given a type.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-shadow': ['error', { allow: ['t'] }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Maps are types here, and views and documents are interfaces: whichever says more.
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      // Slow, and about enums and class hierarchies that this project has not.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      eqeqeq: 'error',
      // Refusing control characters is a job of this program.
      'no-control-regex': 'off',
      'no-else-return': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { 'import-x': importX, winnode: { rules: { 'no-plugin-name': noPluginName } } },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts'] })],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'winnode/no-plugin-name': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
    },
  },
  ...roomRules,
  { files: filesOf(roomNames.filter((room) => !edge.includes(room))), rules: impure },
  {
    // Here a command's output and its day come from.
    files: ['src/commands/{base,process,standard-output}.ts'],
    rules: { 'no-restricted-syntax': ['error', ...refusedSyntax, ownFileName] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // tap runs what `t.test` is given in order, awaited or not.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafePromises: [{ from: 'package', name: subtest, package: '@tapjs/core' }] },
      ],
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/require-await': 'off',
      ...Object.fromEntries(unsafe.map((name) => [`@typescript-eslint/no-unsafe-${name}`, 'off'])),
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(nodeGlobals.map((name) => [name, 'readonly'])),
    },
    rules: { 'no-unused-vars': ['error', { varsIgnorePattern: '^_+$' }] },
  },
)
