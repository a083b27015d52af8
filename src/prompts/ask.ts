// Ask: one question on a terminal, with the prompt that fits its kind.
import type { Question } from '../wizard/question.ts'
import { choicePrompt } from './choice.ts'
import type { Keyboard } from './keyboard.ts'
import { linePrompt } from './line.ts'
import type { Said } from './said.ts'
import type { Stage } from './stage.ts'

export type Ask = (question: Question) => Promise<Said>

/** The prompt goes when it is answered; what stays is said by whoever asks. */
export function askOn(stage: Stage, keyboard: Keyboard, output: NodeJS.WritableStream): Ask {
  return (question) => {
    const prompt = question.choices ? choicePrompt : linePrompt
    return keyboard.hear((input) =>
      prompt({ question, stage }, { input, output, clearPromptOnDone: true }),
    )
  }
}
