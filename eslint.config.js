// What the linter asks for, beyond what the compiler and the formatter do.
import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

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

/** Names that hold versions. */
const version = '/^(version|apiServer|kubeProxy|kubeadm|crictl|minor|newestPatch)$/'
const ofVersion = (object) =>
  `CallExpression[callee.property.name=/^(split|startsWith|endsWith|localeCompare|match|slice|substring)$/]${object}`

const unsafe = ['argument', 'assignment', 'call', 'member-access', 'return']

export default defineConfig(
  { ignores: ['dist/', 'dist.*/', 'release/', '.tap/', 'win-node/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A value keeps its type; only what comes from JSON is told what it is.
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
    rules: {
      // A question that a table cannot answer gets no answer of another row: a `Record` over the names has all.
      'no-restricted-syntax': [
        'error',
        {
          // https://github.com/nodejs/node/issues/57736
          selector: "MemberExpression[object.name='AbortSignal'][property.name='any']",
          message: 'Node may lose a timeout in it; use cluster/deadline.ts.',
        },
        {
          selector:
            "LogicalExpression[operator='??'] > MemberExpression.right[computed=true][property.value=0]",
          message: 'The first row is not the answer where a table lacks one.',
        },
        ...[
          ofVersion(`[callee.object.property.name=${version}]`),
          ofVersion(`[callee.object.name=${version}]`),
          'BinaryExpression > Literal[value=/^v?\\d+\\.\\d+(\\.\\d+)?$/]',
        ].map((selector) => ({
          selector,
          message: 'Versions are compared in src/matrix: ask for a trait, or give it a row.',
        })),
      ],
    },
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
