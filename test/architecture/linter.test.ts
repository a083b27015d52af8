// The linter refuses what eslint.config.js says: planted in the text of a file that exists, one row each.
import { ESLint } from 'eslint'
import { t } from 'tap'
import tseslint from 'typescript-eslint'
import { root } from '../tools/run.ts'

const rules = 'src/rules/index.ts'

/** A file, what stands in it, and the rule that refuses it. */
const planted: readonly (readonly [file: string, text: string, rule: string | undefined])[] = [
  [rules, "import type {} from '../model/rule.ts'", undefined],
  [rules, "import type {} from '../compile.ts'", 'import-x/no-restricted-paths'],
  [rules, "import type {} from '../profile/lookup.ts'", 'import-x/no-restricted-paths'],
  [rules, "await import('../commands/base.ts')", 'import-x/no-restricted-paths'],
  ['src/matrix/version.ts', "import 'semver/functions/parse.js'", undefined],
  [rules, "import 'semver/functions/parse.js'", 'no-restricted-imports'],
  [rules, "import 'node:fs/promises'", 'no-restricted-imports'],
  [rules, "await import('diff')", 'no-restricted-syntax'],
  [rules, "import { isPartial } from '../matrix/version.ts'\nisPartial('1')", undefined],
  [rules, "import { inRange } from '../matrix/version.ts'\ninRange(x, y)", 'no-restricted-imports'],
  ['src/matrix/kubernetes.ts', "inRange(x, '>=1.31')", 'no-restricted-syntax'],
  [rules, 'process.exit()', 'no-restricted-globals'],
  ['src/io/disk.ts', 'process.exit()', undefined],
  [rules, "'a'.localeCompare('b')", 'no-restricted-properties'],
  ['src/io/disk.ts', 'new Date()', 'no-restricted-syntax'],
  ['src/commands/base.ts', 'new Date()', undefined],
  ['src/io/disk.ts', "open('node.json')", 'no-restricted-syntax'],
  ['src/commands/render.ts', "process.stdout.write('')", 'no-restricted-syntax'],
  ['src/commands/standard-output.ts', "process.stdout.write('')", undefined],
  [rules, "ask('flannel')", 'winnode/no-plugin-name'],
  [rules, 'ask(network.flannel)', 'winnode/no-plugin-name'],
  [rules, 'ask(`${x} of Calico`)', 'winnode/no-plugin-name'],
  [rules, 'ask(/^flanneld$/)', 'winnode/no-plugin-name'],
  [rules, "ask('https://github.com/flannel-io/flannel/releases')", undefined],
  ['src/cni/antrea/rules.ts', "ask('antrea')", undefined],
  ['src/matrix/windows.ts', "ask('flanneld')", 'winnode/no-plugin-name'],
]

/** Rules about what may stand where; the others say nothing of a planted line. */
const ours = /^(import-x\/|winnode\/|no-restricted-)/

t.test('each planted line is refused by its rule', async (t) => {
  // Ours ask for no types; to give a planted file its types takes longer than all else.
  const eslint = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] })
  for (const [filePath, text, rule] of planted) {
    const [result] = await eslint.lintText(`${text}\n`, { filePath })
    const found = result?.messages.filter(
      ({ ruleId, fatal }) => fatal === true || ours.test(ruleId ?? ''),
    )
    t.strictSame(
      found?.map(({ ruleId, message }) => ruleId ?? message),
      rule ? [rule] : [],
      `${filePath}: ${text}`,
    )
  }
})
