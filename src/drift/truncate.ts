// Shortens the texts of a difference to the limit of output.
import type { Drift } from '../model/drift.ts'
import type { Path } from '../model/path.ts'
import { truncateMiddle } from '../text/shortened.ts'

/** Actual and expected values are data, and are not shortened. */
export function truncatedDrift(drift: Drift): Drift {
  const { path, subject, message, remedy, field, place, variants } = drift
  return {
    ...drift,
    path: stepsOf(path),
    subject: truncateMiddle(subject),
    message: truncateMiddle(message),
    ...(remedy !== undefined && { remedy: truncateMiddle(remedy) }),
    ...(field && { field: stepsOf(field) }),
    ...(place && { place: { ...place, file: truncateMiddle(place.file) } }),
    ...(variants && {
      variants: variants.map((one) => ({ ...one, message: truncateMiddle(one.message) })),
    }),
  }
}

function stepsOf(path: Path): Path {
  return path.map((step) => (typeof step === 'string' ? truncateMiddle(step) : step))
}
