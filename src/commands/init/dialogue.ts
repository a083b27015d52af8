// Dialogue: the conversation on the terminal of this process, drawn or line by line.
import type { Screen } from '../../present/screen.ts'
import { scriptOf, spoken } from '../../present/signs.ts'
import { askOn } from '../../prompts/ask.ts'
import { converse, type Agreed, type Talk } from '../../prompts/conversation.ts'
import { askLinear } from '../../prompts/linear.ts'
import { onTerminal, terminalStage } from '../../prompts/terminal.ts'
import { typedLines } from '../../prompts/typed-lines.ts'

interface Spoken<Session> extends Omit<Talk<Session>, 'ask' | 'stage' | 'forget'> {
  readonly screen: Screen
  readonly plain: boolean
}

/** `undefined` where nothing is to be written. */
export async function talkOver<Session>(
  first: Session,
  { screen, plain, ...talk }: Spoken<Session>,
): Promise<Agreed | undefined> {
  const { env, platform, stdin, stderr } = process
  const script = scriptOf(env, platform)
  if (!plain && env['TERM'] !== 'dumb') {
    const stage = terminalStage(stderr, screen, script)
    return onTerminal({ input: stdin, output: stderr }, (keyboard) => {
      const ask = askOn(stage, keyboard, stderr)
      return converse(first, { ...talk, stage, ask, forget: keyboard.forget })
    })
  }
  const lines = typedLines(stdin)
  // What was read out loud was said.
  const stage = { ...terminalStage(stderr, screen, spoken(script)), unsay: () => undefined }
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
