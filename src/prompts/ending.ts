// The questions before and after the profile's: read a cluster's settings, and what to do with the file.
import { onOneLine, type Answered, type Question } from '../wizard/question.ts'

/** The cluster of a kubeconfig, and the program that it runs for credentials. */
export interface OfferedCluster {
  readonly name: string
  readonly program: string | undefined
}

/** The title contains the full program name, because yes allows it to run. */
export function clusterQuestion({ name, program }: OfferedCluster): Question {
  const reads = 'versions, CIDRs, DNS, the endpoint and the CA, with kubectl get'
  return {
    ...base,
    id: 'cluster',
    title: `Read the settings from cluster ${name}?${program === undefined ? '' : ` (runs ${program})`}`,
    help: [`It reads ${reads}; it changes nothing.`],
    fallback: 'no',
    proposal: 'no',
    choices: [
      { value: 'no', name: 'no' },
      { value: 'yes', name: 'yes', note: reads },
    ],
  }
}

type Ending = 'write' | 'render' | 'change' | 'cancel'

const base = {
  paths: [],
  kind: 'choice',
  check: () => undefined,
  shown: (text) => text,
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
    help: ['Nothing is written yet.', 'A profile is a YAML file that you can also edit by hand.'],
    fallback: '',
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
    help: ['The other answers stay unless the rules refuse them together with the new one.'],
    fallback: 'leave answers unchanged',
    choices: answers.map(({ id, title, value }) => ({
      value: id,
      name: title,
      note: onOneLine(value),
    })),
  }
}

type ExistingFileChoice = 'another' | 'replace' | 'back'

const existingFileChoices: Readonly<Record<ExistingFileChoice, string>> = {
  another: 'write another file',
  replace: 'replace it: its present content is lost',
  back: 'back to the review',
}

export function existingFileQuestion(out: string): Question {
  return {
    ...base,
    id: 'taken',
    title: `${out} exists`,
    help: ['Nothing is written yet, and the answers stay.'],
    fallback: existingFileChoices.back,
    choices: Object.entries(existingFileChoices).map(([value, name]) => ({ value, name })),
  }
}

/** `check` returns why a file cannot be written. */
export function fileQuestion(check: (file: string) => string | undefined): Question {
  return {
    ...base,
    id: 'file',
    title: 'Path of the profile',
    kind: 'text',
    help: ['The path of a file that does not exist yet.'],
    fallback: existingFileChoices.back,
    check,
  }
}
