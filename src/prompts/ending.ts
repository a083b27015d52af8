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

const base = {
  paths: [],
  kind: 'choice',
  check: () => undefined,
  shown: (text) => text,
} as const satisfies Partial<Question>

export function endingQuestion(out: string, bundle: string): Question {
  return {
    ...base,
    id: 'ending',
    title: 'Write the profile?',
    help: ['Nothing is written yet.', 'A profile is a YAML file that you can also edit by hand.'],
    fallback: 'write the profile',
    proposal: 'write',
    choices: [
      { value: 'write', name: 'write the profile', note: out },
      { value: 'render', name: 'write it, and render its bundle', note: `${out} and ${bundle}` },
      { value: 'change', name: 'change an answer' },
      { value: 'cancel', name: 'write nothing' },
    ],
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

const backToReview = 'back to the review'

export function existingFileQuestion(out: string): Question {
  return {
    ...base,
    id: 'taken',
    title: `${out} exists`,
    help: ['Nothing is written yet, and the answers stay.'],
    fallback: backToReview,
    choices: [
      { value: 'another', name: 'write another file' },
      { value: 'replace', name: 'replace it: its present content is lost' },
      { value: 'back', name: backToReview },
    ],
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
    fallback: backToReview,
    check,
  }
}
