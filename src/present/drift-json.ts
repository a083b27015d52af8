// Differences as JSON, in the shape of docs/drift.schema.json.
import type { Drift, DriftResult } from '../model/drift.ts'
import { mostOf } from '../model/need.ts'
import { formatPath } from '../model/path.ts'
import { statementJson } from './json.ts'

export function driftJson({ drifts, nodes, ignored }: DriftResult): object {
  return {
    version: 1,
    need: mostOf(drifts.flatMap(({ need }) => need ?? [])),
    nodes: nodes.length,
    drift: drifts.map(oneDrift),
    ignored: ignored.map(({ drift: { id, subject, message }, reason }) => ({
      id,
      subject,
      message,
      reason,
    })),
  }
}

function oneDrift(drift: Drift): object {
  const { subject, weight, owner = null, need = null, was = null, should = null } = drift
  const { why = null, field, fieldFrom = null, nodes = null, variants = null } = drift
  return {
    ...statementJson(drift),
    subject,
    weight,
    owner,
    need,
    was,
    should,
    why,
    field: field ? formatPath(field) : null,
    fieldFrom,
    nodes,
    variants,
  }
}
