// Every topic of `winnode explain`, and the search for a name.
import { nearestName, wordsOf } from '../../text/nearest.ts'
import type { Explanation } from '../../present/explanation.ts'
import { advisoryTopic } from './advisories.ts'
import { alertTopic } from './alerts.ts'
import { healthTopic, preflightTopic, scriptCheckTopic } from './checks.ts'
import { diagnosisTopic, messageExplanations } from './diagnoses.ts'
import { exitTopic } from './exit-codes.ts'
import {
  differenceTopic,
  findingTopic,
  ruleTopic,
  smokeTopic,
  workloadRuleTopic,
} from './findings.ts'
import { gateTopic } from './gates.ts'
import { fieldTopic } from './profile-fields.ts'
import { flagTopic } from './program-flags.ts'
import { settingTopics, writtenTopic } from './settings.ts'
import { stepTopic } from './steps.ts'
import type { Scope, Subject, Topic } from './topic.ts'
import { windowsTopic } from './windows-releases.ts'
import { wordRows } from './words.ts'

const named: readonly Topic[] = [
  ruleTopic,
  workloadRuleTopic,
  findingTopic,
  differenceTopic,
  smokeTopic,
  fieldTopic,
  gateTopic,
  ...settingTopics,
  writtenTopic,
  flagTopic,
  stepTopic,
  preflightTopic,
  scriptCheckTopic,
  healthTopic,
  diagnosisTopic,
  alertTopic,
  exitTopic,
  advisoryTopic,
  windowsTopic,
]

/** Words for a subject, with the names that are about it. */
const wordTopic: Topic = {
  subjects: () => wordRows.map(([name, names]) => ({ name, note: names.join(', ') })),
  explain: (word, scope) =>
    wordRows
      .filter(([name]) => singular(name) === singular(word))
      .map(([name, names]) => {
        const notes = new Map(subjectsIn(named, scope).map((one) => [one.name, one.note]))
        return {
          kind: 'list',
          name,
          what: 'Related names; winnode explain NAME explains each.',
          facts: names.map((one) => ({ name: one, text: notes.get(one) ?? '' })),
          see: [],
        }
      }),
}

function singular(word: string): string {
  return withoutSeparators(word).replace(/s$/, '')
}

const topics = [...named, wordTopic]

/** Each name once; what else has the name is in its explanations. */
export function subjectsOf(scope: Scope): readonly Subject[] {
  return subjectsIn(topics, scope)
}

function subjectsIn(some: readonly Topic[], scope: Scope): readonly Subject[] {
  const all = some.flatMap((topic) => topic.subjects(scope))
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].toReversed()
}

/** All that has this name; without one, all that differs from it in case or separators alone, or what a message means. */
export function explanationsOf(name: string, scope: Scope): readonly Explanation[] {
  const exact = exactlyNamed(name, scope)
  if (exact.length > 0) return exact
  const alike = (normal: (text: string) => string) =>
    subjectsOf(scope).find((one) => normal(one.name) === normal(name))
  const known = alike((text) => text.toLowerCase()) ?? alike(withoutSeparators)
  return known ? exactlyNamed(known.name, scope) : messageExplanations(name)
}

/** `sandbox image` and `sandboxImage` are `sandboximage`. */
function withoutSeparators(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, '')
}

function exactlyNamed(name: string, scope: Scope): readonly Explanation[] {
  return topics.flatMap((topic) => topic.explain(name, scope))
}

/** The name that was meant, if one is near enough; else the shortest whose summary has all of the words. */
export function suggestionFor(name: string, scope: Scope): string | undefined {
  const subjects = subjectsOf(scope)
  const near = nearestName(
    name,
    subjects.map((subject) => subject.name),
  )
  if (near !== undefined) return near
  const wanted = wordsOf(name).filter((word) => word.length > 2)
  const [found] = subjects
    .filter(({ note }) => {
      const own = wordsOf(note)
      return wanted.length > 0 && wanted.every((word) => own.includes(word))
    })
    .toSorted((a, b) => a.name.length - b.name.length)
  return found?.name
}
