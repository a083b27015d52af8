// Exit codes of winnode.
import { exits } from '../exit.ts'
import { factsOf, type Topic } from './topic.ts'

const rows = Object.entries(exits).map(([id, { code, means }]) => ({
  id,
  code: String(code),
  means,
}))

const every = 'exit-codes'

export const exitTopic: Topic = {
  subjects: () => [
    ...rows.map(({ code, means }) => ({ name: code, note: `exit code: ${means}` })),
    { name: every, note: 'all exit codes of winnode' },
  ],
  explain: (name) => [
    ...rows
      .filter(({ code }) => code === name)
      .map(({ id, code, means }) => ({
        kind: 'exit code',
        name: code,
        what: means,
        facts: factsOf({
          name: id,
          scripts: 'the scripts of a bundle have other codes: see its README.md',
        }),
        see: [],
      })),
    ...(name === every
      ? [
          {
            kind: 'list',
            name: every,
            what: 'The exit codes of winnode.',
            facts: rows.map(({ code, means }) => ({ name: code, text: means })),
            see: [],
          },
        ]
      : []),
  ],
}
