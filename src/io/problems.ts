// The problems of the files and flags of a profile, before its fields are checked.
import type { Finding, Place } from '../model/finding.ts'
import type { Path } from '../model/path.ts'

interface Problem {
  /** `{}` is replaced with `about` of the finding. */
  readonly message: string
  readonly remedy: string
}

const quoteIt = 'Put it in quotes.'
const saveAsUtf8 = 'Save the file as UTF-8.'
const markRoot =
  'Name a folder that contains both files with --root DIR, or mark it with an empty file .winnode-root.'
const besideProfile = 'Name a file beside the profile, such as ./corp.facts.yaml.'
const oneParent = 'Name a built-in profile, or a YAML file beside this one.'

export const problems = {
  unreadable: { message: 'the file cannot be read: {}', remedy: 'Name a file that can be read.' },
  'too-large': {
    message: 'the file has more than {}',
    remedy: 'Keep only the settings of one node in a profile.',
  },
  'empty-file': {
    message: 'the file holds no settings',
    remedy: 'Begin with the line apiVersion: winnode/v1.',
  },
  'not-utf8': { message: 'the file is {}, not UTF-8', remedy: saveAsUtf8 },
  'null-character': {
    message: 'a NUL character is not allowed',
    remedy: 'Delete it.',
  },
  'lone-surrogate': {
    message: 'half of a surrogate pair is not a character',
    remedy: 'Write the whole character, or delete it.',
  },
  'control-character': {
    message: 'the control character {} cannot stand in YAML as it is',
    remedy: 'Delete it, or write it as an escape in double quotes.',
  },
  'yaml-syntax': {
    message: 'not YAML: {}',
    remedy: 'Correct the line; the lines above may cause it.',
  },
  'tab-indentation': {
    message: 'a tab indents this line, where YAML takes only spaces',
    remedy: 'Indent with spaces.',
  },
  'colon-in-value': {
    message: 'a second key begins on this line',
    remedy: 'Start a new line for it; put quotes around a value that contains a colon and a space.',
  },
  'key-indented-too-far': {
    message: 'this key is indented farther than the key above it, which has a value',
    remedy: 'Indent both keys alike.',
  },
  'too-deep': {
    message: 'maps and lists lie more than {} deep',
    remedy: 'Nest less; no field of a profile is that deep.',
  },
  'too-many-entries': {
    message: 'a map or list has more than {} entries',
    remedy: 'Keep those that a node needs.',
  },
  'many-documents': {
    message: 'a second document begins here, where a file holds one',
    remedy: 'Move it to a separate file.',
  },
  'no-object': {
    message: 'no Kubernetes object: {} is missing',
    remedy: 'Write apiVersion and kind, or leave the file out.',
  },
  'unsupported-directive': {
    message: 'directives such as {} are not supported',
    remedy: 'Delete the line.',
  },
  'unsupported-tag': {
    message: 'the tag {} is not supported here',
    remedy: 'Delete the tag and write the value as text, number, boolean, list or map.',
  },
  'alias-limit': { message: 'aliases repeat more than {} values', remedy: 'Write the values out.' },
  'unknown-anchor': {
    message: '{} repeats a value that no anchor has named above it',
    remedy: 'Put & and the name before the value to repeat; quote text that begins with *.',
  },
  'merge-key': {
    message: 'the merge key << is not supported',
    remedy: 'Write the values out, or move them to a profile and extend that.',
  },
  'duplicate-key': { message: 'duplicate key {}', remedy: 'Remove one of the two.' },
  'forbidden-key': {
    message: 'the key {} is not allowed anywhere in a profile',
    remedy: 'Choose another name.',
  },
  'key-not-text': { message: '{} cannot be a key, only text can', remedy: quoteIt },
  'number-out-of-range': {
    message: 'the number {} cannot be represented exactly',
    remedy: 'Use a number of at most 9007199254740991, or put it in quotes.',
  },
  'not-a-map': {
    message: 'a profile is a map of settings, not {}',
    remedy: 'Write a key, a colon and a value on each line.',
  },
  'more-findings': {
    message: '{} more findings of this file are not shown',
    remedy: 'Correct the first ones.',
  },
  'more-of-a-kind': { message: '{} are not shown', remedy: 'Correct the first ones.' },
  'header-missing': { message: '{} missing', remedy: 'Begin the file with what is missing.' },
  'header-wrong': {
    message: '{}',
    remedy: 'Correct it, or use the winnode that the file was written for.',
  },
  'not-for-lock': {
    message: 'winnode.lock sets {}, but it is only for checksums',
    remedy: 'Move the setting to a profile.',
  },
  'extends-not-text': { message: 'extends names one profile; this is {}', remedy: oneParent },
  'extends-not-relative': {
    message: '{} is neither a built-in profile nor a relative path to a YAML file',
    remedy: oneParent,
  },
  'extends-unknown': { message: '{}: no such profile', remedy: oneParent },
  'extends-unreadable': { message: 'the extended profile cannot be read: {}', remedy: oneParent },
  'extends-leaves-folder': {
    message: '{} is outside of the root folder',
    remedy: markRoot,
  },
  'extends-circle': {
    message: 'profiles extend each other in a circle: {}',
    remedy: 'Remove one extends.',
  },
  'extends-too-long': {
    message: 'more than {} profiles extend each other',
    remedy: 'Join some of them.',
  },
  'extends-in-layer': {
    message: 'a layer cannot extend a profile',
    remedy: 'Pass the other file with a --layer before this one.',
  },
  'facts-not-text': {
    message: 'facts names one file; this is {}',
    remedy: 'Name a file beside the profile, such as ./corp.facts.yaml, or write null for none.',
  },
  'facts-not-relative': {
    message: '{} is not a relative path with slashes',
    remedy: besideProfile,
  },
  'facts-unknown': { message: '{}: no such file', remedy: besideProfile },
  'facts-leaves-folder': {
    message: '{} is outside of the root folder',
    remedy: markRoot,
  },
  'facts-invalid': {
    message: 'the facts cannot be used: {}',
    remedy: 'Correct the file; docs/facts.md has an example.',
  },
  'set-syntax': {
    message: '{} is not of the form path=value',
    remedy: 'Write, for example, --set kubelet.maxPods=50.',
  },
  'set-list-item': {
    message: '{} is an item of a list, and lists are only replaced as a whole',
    remedy: 'Set the whole list, for example --set "list=[a, b]".',
  },
  'set-header': {
    message: '{} belongs to a file and cannot be set',
    remedy: 'Write it in the profile.',
  },
} as const satisfies Readonly<Record<string, Problem>>

export type ProblemId = keyof typeof problems

interface Spot {
  readonly place: Place | undefined
  readonly path?: Path
}

/** `remedy` replaces the general one. */
export function problem(id: ProblemId, spot: Spot, about = '', remedy?: string): Finding {
  const row: Problem = problems[id]
  const { place, path = [] } = spot
  return {
    id,
    severity: 'error',
    path,
    message: row.message.replace('{}', () => about),
    remedy: remedy ?? row.remedy,
    ...(place && { place }),
  }
}
