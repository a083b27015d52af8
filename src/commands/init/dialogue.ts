// Asks the questions on the terminal of this process, with drawn prompts or line by line (--plain).
import type { Screen } from '../../present/screen.ts'
import { charsetOf, forScreenReader } from '../../present/signs.ts'
import { askOn } from '../../prompts/ask.ts'
import { converse, type Agreed, type Talk } from '../../prompts/conversation.ts'
import { askLinear } from '../../prompts/linear.ts'
import { onTerminal, terminalStage } from '../../prompts/terminal.ts'
import { typedLines } from '../../prompts/typed-lines.ts'

interface DialogueOptions<Session> extends Omit<Talk<Session>, 'ask' | 'stage' | 'forget'> {
  readonly screen: Screen
  readonly plain: boolean
}

/** `undefined` where the user cancels. */
export async function runDialogue<Session>(
  first: Session,
  { screen, plain, ...talk }: DialogueOptions<Session>,
): Promise<Agreed | undefined> {
  const { env, platform, stdin, stderr } = process
  const script = charsetOf(env, platform)
  if (!plain && env['TERM'] !== 'dumb') {
    const stage = terminalStage(stderr, screen, script)
    return onTerminal({ input: stdin, output: stderr }, (keyboard) => {
      const ask = askOn(stage, keyboard, stderr)
      return converse(first, { ...talk, stage, ask, forget: keyboard.forget })
    })
  }
  const lines = typedLines(stdin)
  // A screen reader has already spoken the line: it cannot be erased.
  const stage = {
    ...terminalStage(stderr, screen, forScreenReader(script)),
    unsay: () => undefined,
  }
  try {
    await lines.ahead()
    return await converse(first, {
      ...talk,
      stage,
      forget: lines.forget,
      ask: (question) => askLinear(stage, question, lines),
    })
  } finally {
    lines.close()
  }
}
