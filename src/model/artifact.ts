// A declaration that plans files of a bundle.
import type { Facts } from './facts.ts'
import type { PlannedFile } from './plan.ts'

/** The files for these facts; none if it does not apply. */
export type Artifact = (facts: Facts) => PlannedFile | readonly PlannedFile[] | undefined
