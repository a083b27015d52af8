// The questions after the last answer: what to do with the profile.
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
    title: 'Write the profile?',
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
    title: 'Answer to change',
    flag: 'from',
    help: ['The other answers stay unless the rules refuse them together with the new one.'],
    fallback: 'leave answers unchanged',
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
  replace: 'replace it: its present content is lost',
  back: 'back to the review',
}

export function takenQuestion(out: string): Question {
  return {
    ...base,
    id: 'taken',
    title: `${out} exists`,
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
    title: 'Path of the profile',
    kind: 'text',
    flag: 'out',
    help: ['The path of a file that does not exist yet.'],
    fallback: waysOut.back,
    check,
  }
}
