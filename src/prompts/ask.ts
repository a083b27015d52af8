// Ask: one question on a terminal, with the prompt that fits its kind.
import type { Question } from '../wizard/question.ts'
import { choicePrompt } from './choice.ts'
import { linePrompt } from './line.ts'
import type { Said } from './said.ts'
import type { Stage } from './stage.ts'

export type Ask = (question: Question) => Promise<Said>

interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** The prompt goes when it is answered; what stays is said by whoever asks. */
export function askOn(stage: Stage, { input, output }: Streams): Ask {
  const context = { input, output, clearPromptOnDone: true }
  return (question) => {
    const prompt = question.choices ? choicePrompt : linePrompt
    return prompt({ question, stage }, context)
  }
}
