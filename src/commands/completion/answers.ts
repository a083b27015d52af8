// Candidates for the value of an `init` flag that answers a question.
import { engine } from '../../wizard/engine.ts'
import { flags } from '../../wizard/flags.ts'
import type { Session } from '../../wizard/session.ts'
import { startSession } from '../init/start.ts'
import type { Candidate } from './candidates.ts'

interface AnswerFlag {
  /** As typed: `--cni`. */
  readonly flag: string
  /** The words before the cursor's word. */
  readonly before: readonly string[]
  readonly root: string
  readonly today: string
}

/** Leaves out what the rules refuse beside the earlier answers. */
export function answerCandidates({ flag, before, root, today }: AnswerFlag): readonly Candidate[] {
  const asked = { base: undefined, from: undefined, allowNewer: false, found: [] }
  const { session } = startSession({ ...asked, root, today })
  const question = engine.question(withEarlierAnswers(session, before), flag.slice('--'.length))
  return (question?.choices ?? [])
    .filter(({ cannot }) => cannot === undefined)
    .map(({ value, note = '' }) => ({ value, note }))
}

/** Skips invalid answers: `init` itself reports them. */
function withEarlierAnswers(first: Session, before: readonly string[]): Session {
  let session = first
  for (const { id, aliases } of flags) {
    const text = [id, ...aliases]
      .map((name) => flagValue(before, `--${name}`))
      .find((one) => one !== undefined)
    if (text === undefined) continue
    const asked = engine.question(session, id)
    if (asked && asked.check(text) === undefined) session = engine.give(session, id, text)
  }
  return session
}

function flagValue(words: readonly string[], flag: string): string | undefined {
  const inline = words.find((word) => word.startsWith(`${flag}=`))
  if (inline !== undefined) return inline.slice(flag.length + 1)
  const at = words.indexOf(flag)
  return at < 0 ? undefined : words[at + 1]
}
