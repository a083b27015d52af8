// All diagnoses by topic, and the diagnoses of the network plugins.
import { everyCni } from '../cni/index.ts'
import { topics as general } from '../matrix/diagnoses.ts'
import type { DiagnosisRow } from '../model/tables.ts'
import type { Sign } from './sign.ts'
import { messagesOf, signOf } from './signs.ts'

export interface Diagnosis extends Omit<DiagnosisRow, 'sign'> {
  readonly sign: Sign
  /** What the messages match that are evidence of it. */
  readonly messages: readonly RegExp[]
}

const plugins = everyCni.flatMap(({ diagnoses: rows = [] }) => rows)

export const topics: Readonly<Record<string, readonly Diagnosis[]>> = Object.fromEntries(
  Object.entries({ ...general, 'Network plugins': plugins }).map(([topic, rows]) => [
    topic,
    rows.map((row) => ({ ...row, sign: signOf(row.sign), messages: messagesOf(row.sign) })),
  ]),
)

/** `explains` of plugin diagnoses is added to `causedBy` of the diagnoses it names. */
export const diagnoses: readonly Diagnosis[] = Object.values(topics)
  .flat()
  .map((row) => {
    const causes = plugins.filter(({ explains }) => explains?.includes(row.id)).map(({ id }) => id)
    return causes.length > 0 ? { ...row, causedBy: [...(row.causedBy ?? []), ...causes] } : row
  })
