// Steps of node.json.
import { summaryOf } from '../../artifacts/step-summaries.ts'
import type { DraftStep } from '../../model/plan.ts'
import { stepFields } from '../../steps/fields.ts'
import { factsOf, unique, type Scope, type Topic } from './topic.ts'

/** The steps of the built-in profiles; further ones of a profile differ in a name alone. */
export const stepTopic: Topic = {
  subjects: (scope) => {
    const byId = new Map(stepsOf(scope).map(({ step }) => [step.id, step]))
    return [...byId.values()].map(({ id, kind }) => ({ name: id, note: `step of kind ${kind}` }))
  },
  explain: (name, scope) => {
    const found = stepsOf(scope).filter(({ step }) => step.id === name)
    const [first] = found
    if (!first) return []
    const { step } = first
    const { verb, subject, rest } = summaryOf(step)
    return [
      {
        kind: 'step',
        name,
        what: `${[verb, subject, rest].filter(Boolean).join(' ')}.`,
        facts: factsOf({
          'kind of step': step.kind,
          phase: step.phase,
          after: step.after.join(', '),
          reboot: step.restart === 'maybe' ? 'may be required' : 'never',
          'set by': fieldsOf(step),
          'bundles of': unique(found.map(({ profile }) => profile)).join(', '),
        }),
        see: [],
      },
    ]
  },
}

function stepsOf({ plans }: Scope) {
  return [...plans()].flatMap(([profile, { steps }]) => steps.map((step) => ({ profile, step })))
}

/** An id that ends in a dash is the beginning of one. */
function fieldsOf({ id }: DraftStep): string | undefined {
  const row = Object.entries(stepFields).find(([name]) =>
    name.endsWith('-') ? id.startsWith(name) : id === name,
  )
  if (!row) return undefined
  const [, fields] = row
  return typeof fields === 'string' ? fields : Object.values(fields).join(', ')
}
