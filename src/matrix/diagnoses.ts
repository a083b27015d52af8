// Diagnoses: problems of a node, each with the evidence that shows it and its fix.
import tables from '#tables'

/** By topic. */
export const { topics } = tables.diagnoses
