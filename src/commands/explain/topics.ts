// Every topic of `winnode explain`, and the search for a name.
import { nearestName } from '../../text/nearest.ts'
import type { Explanation } from '../../present/explanation.ts'
import { diagnosisTopic } from './diagnoses.ts'
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
import type { Scope, Subject } from './topic.ts'

const topics = [
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
  diagnosisTopic,
  exitTopic,
]

/** Each name once; what else has the name is in its explanations. */
export function subjectsOf(scope: Scope): readonly Subject[] {
  const all = topics.flatMap((topic) => topic.subjects(scope))
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].toReversed()
}

/** All that has this name; without one, all that has it in another case. */
export function explanationsOf(name: string, scope: Scope): readonly Explanation[] {
  const exact = exactlyNamed(name, scope)
  if (exact.length > 0) return exact
  const known = subjectsOf(scope).find((one) => one.name.toLowerCase() === name.toLowerCase())
  return known ? exactlyNamed(known.name, scope) : []
}

function exactlyNamed(name: string, scope: Scope): readonly Explanation[] {
  return topics.flatMap((topic) => topic.explain(name, scope))
}

/** The name that was meant, if one is near enough. */
export function suggestionFor(name: string, scope: Scope): string | undefined {
  return nearestName(
    name,
    subjectsOf(scope).map((subject) => subject.name),
  )
}
