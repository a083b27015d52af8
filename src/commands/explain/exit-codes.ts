// Exit codes of winnode.
import type { Explanation } from '../../present/explanation.ts'
import { exits } from '../exit.ts'
import { factsOf, type Topic } from './topic.ts'

const rows = Object.entries(exits).map(([id, { code, means }]) => ({
  id,
  code: String(code),
  means,
}))

const every = 'exit-codes'

/** Of Windows Installer, and of the scripts of a bundle. */
const restart = { code: '3010', means: 'a restart is required' }

const explanations: readonly Explanation[] = [
  ...rows.map(({ id, code, means }) => ({
    kind: 'exit code',
    name: code,
    what: means,
    facts: factsOf({
      name: id,
      scripts: 'the scripts of a bundle have their own codes: see its README.md',
    }),
    see: [],
  })),
  {
    kind: 'exit code of scripts',
    name: restart.code,
    what: restart.means,
    facts: factsOf({
      scripts: 'Install, Join and Reset of a bundle',
      fix: 'Restart the machine and rerun the script until it returns 0.',
    }),
    see: [],
  },
  {
    kind: 'list',
    name: every,
    what: 'The exit codes of winnode.',
    facts: rows.map(({ code, means }) => ({ name: code, text: means })),
    see: [],
  },
]

export const exitTopic: Topic = {
  subjects: () => [
    ...rows.map(({ code, means }) => ({ name: code, note: `exit code: ${means}` })),
    { name: restart.code, note: `exit code of scripts: ${restart.means}` },
    { name: every, note: 'all exit codes of winnode' },
  ],
  explain: (name) => explanations.filter((one) => one.name === name),
}
