// Asks the questions on the terminal of this process, with drawn prompts or line by line (--plain).
import type { Screen } from '../../present/screen.ts'
import { charsetOf, forScreenReader } from '../../present/signs.ts'
import { createAsk } from '../../prompts/ask.ts'
import { runDialog, type InitResult, type InitDialog } from '../../prompts/init-dialog.ts'
import { askInPlainLines } from '../../prompts/plain-prompt.ts'
import { onTerminal, terminalStage } from '../../prompts/terminal.ts'
import { typedLines } from '../../prompts/typed-lines.ts'
import type { Session } from '../../wizard/session.ts'

interface TerminalDialogOptions extends Omit<InitDialog, 'ask' | 'stage' | 'dropTypedAhead'> {
  readonly screen: Screen
  readonly plain: boolean
}

/** `undefined` where the user cancels. */
export async function runTerminalDialog(
  first: Session,
  { screen, plain, ...dialog }: TerminalDialogOptions,
): Promise<InitResult | undefined> {
  const { env, platform, stdin, stderr } = process
  const charset = charsetOf(env, platform)
  if (!plain && env['TERM'] !== 'dumb') {
    const stage = terminalStage(stderr, screen, charset)
    return onTerminal({ input: stdin, output: stderr }, (keyboard) => {
      const ask = createAsk(stage, keyboard, stderr)
      return runDialog(first, { ...dialog, stage, ask, dropTypedAhead: keyboard.dropTypedAhead })
    })
  }
  const lines = typedLines(stdin)
  // A screen reader has already spoken the line: it cannot be erased.
  const stage = {
    ...terminalStage(stderr, screen, forScreenReader(charset)),
    erase: () => undefined,
  }
  try {
    await lines.waitForTypedAhead()
    return await runDialog(first, {
      ...dialog,
      stage,
      dropTypedAhead: lines.dropTypedAhead,
      ask: (question) => askInPlainLines(stage, question, lines),
    })
  } finally {
    lines.close()
  }
}
