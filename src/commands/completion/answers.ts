// Answers: what can stand behind a flag of `init` that answers a question, with the answers before it.
import { engine } from '../../wizard/engine.ts'
import { flags } from '../../wizard/flags.ts'
import type { Session } from '../../wizard/session.ts'
import { openingOf } from '../init/opening.ts'
import type { Candidate } from './candidates.ts'

interface Line {
  /** As typed: `--cni`. */
  readonly flag: string
  /** The words before the one that is typed. */
  readonly before: readonly string[]
  readonly root: string
  readonly today: string
}

/** What a rule refuses is not offered; of a question without choices nothing is. */
export function answerCandidates({ flag, before, root, today }: Line): readonly Candidate[] {
  const asked = { base: undefined, from: undefined, allowNewer: false, found: [] }
  const { session } = openingOf({ ...asked, root, today })
  const question = engine.question(answered(session, before), flag.slice('--'.length))
  return (question?.choices ?? [])
    .filter(({ cannot }) => cannot === undefined)
    .map(({ value, note = '' }) => ({ value, note }))
}

/** An answer that is wrong is for `init` itself to say. */
function answered(first: Session, before: readonly string[]): Session {
  let session = first
  for (const { flag, question } of flags) {
    const text = valueIn(before, `--${flag}`)
    if (text === undefined) continue
    const asked = engine.question(session, question)
    if (asked && asked.check(text) === undefined) session = engine.give(session, question, text)
  }
  return session
}

function valueIn(words: readonly string[], flag: string): string | undefined {
  const inline = words.find((word) => word.startsWith(`${flag}=`))
  if (inline !== undefined) return inline.slice(flag.length + 1)
  const at = words.indexOf(flag)
  return at < 0 ? undefined : words[at + 1]
}
