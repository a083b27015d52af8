// Types, lint, format and package: the scripts of package.json that read the sources and run nothing of them.
import { t } from 'tap'
import { root, shell } from '../tools/run.ts'

for (const script of ['lint', 'types', 'format:check', 'publint'])
  t.test(script, async (t) => {
    const { code, stdout, stderr } = shell('exec npm run --silent "$0"', [script], { cwd: root })
    t.equal(code, 0, `npm run ${script}\n${stdout}${stderr}`)
  })
