// What the linter asks for, beyond what the compiler and the formatter do.
import js from '@eslint/js'
import tseslint from 'typescript-eslint'

const nodeGlobals = ['console', 'performance', 'process', 'URL']

export default tseslint.config(
  { ignores: ['dist/', 'dist.*/', '.tap/', 'win-node/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A value keeps its type; only what comes from JSON is told what it is.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-shadow': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // `index.d.ts`-like maps read better as the type that they are.
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      eqeqeq: 'error',
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-else-return': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries([...nodeGlobals, 'module'].map((name) => [name, 'readonly'])),
    },
    rules: {
      'no-unused-vars': ['error', { varsIgnorePattern: '^_+$' }],
    },
  },
)
