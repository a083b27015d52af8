// Ending: what a person does with the answers when all is asked.
import { onOneLine, type Answered, type Question } from '../wizard/question.ts'

export type Ending = 'write' | 'render' | 'change' | 'cancel'

const base = {
  topic: 'other',
  paths: [],
  kind: 'choice',
  check: () => undefined,
} as const satisfies Partial<Question>

const names: Readonly<Record<Ending, string>> = {
  write: 'write the profile',
  render: 'write it, and render its bundle',
  change: 'change an answer',
  cancel: 'write nothing',
}

export function isEnding(text: string): text is Ending {
  return Object.hasOwn(names, text)
}

export function endingQuestion(out: string, bundle: string): Question {
  const notes: Partial<Record<Ending, string>> = { write: out, render: `${out} and ${bundle}` }
  return {
    ...base,
    id: 'ending',
    title: 'What now?',
    flag: 'yes',
    help: ['Nothing is written yet.', 'A profile is a YAML file that you can also edit by hand.'],
    fallback: '',
    // A key too many must not lose all the answers.
    must: 'one of these; nothing is written yet',
    choices: Object.entries(names).map(([value, name]) => ({
      value,
      name,
      ...(isEnding(value) && notes[value] !== undefined && { note: notes[value] }),
    })),
  }
}

export function changeQuestion(answers: readonly Answered[]): Question {
  return {
    ...base,
    id: 'change',
    title: 'Which answer?',
    flag: 'from',
    help: ['The other answers stay, as far as they still fit.'],
    fallback: 'none changes',
    choices: answers.map(({ id, title, value }) => ({
      value: id,
      name: title,
      note: onOneLine(value),
    })),
  }
}

export type WayOut = 'another' | 'replace' | 'back'

const waysOut: Readonly<Record<WayOut, string>> = {
  another: 'write another file',
  replace: 'replace it: what it says now is lost',
  back: 'look at the answers again',
}

export function takenQuestion(out: string): Question {
  return {
    ...base,
    id: 'taken',
    title: `${out} is there already. What now?`,
    flag: 'force',
    help: ['Nothing is written yet, and the answers stay.'],
    fallback: waysOut.back,
    choices: Object.entries(waysOut).map(([value, name]) => ({ value, name })),
  }
}

/** `check` says why nothing can be written there. */
export function fileQuestion(check: (file: string) => string | undefined): Question {
  return {
    ...base,
    id: 'file',
    title: 'To which file?',
    kind: 'text',
    flag: 'out',
    help: ['The path of a file that is not there yet.'],
    fallback: waysOut.back,
    check,
  }
}
