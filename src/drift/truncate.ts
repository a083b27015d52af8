// Shortens the texts of a difference to the limit of output.
import type { Drift } from '../model/drift.ts'
import type { Path } from '../model/path.ts'
import { shortened } from '../text/shortened.ts'

/** Actual and expected values are data, and are not shortened. */
export function truncatedDrift(drift: Drift): Drift {
  const { path, subject, message, remedy, field, place, variants } = drift
  return {
    ...drift,
    path: stepsOf(path),
    subject: shortened(subject),
    message: shortened(message),
    ...(remedy !== undefined && { remedy: shortened(remedy) }),
    ...(field && { field: stepsOf(field) }),
    ...(place && { place: { ...place, file: shortened(place.file) } }),
    ...(variants && {
      variants: variants.map((one) => ({ ...one, message: shortened(one.message) })),
    }),
  }
}

function stepsOf(path: Path): Path {
  return path.map((step) => (typeof step === 'string' ? shortened(step) : step))
}
