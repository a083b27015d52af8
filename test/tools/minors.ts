// The newest Kubernetes minor in the tables, and the next one, which they lack.
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'

const newest = kubernetesMinors.at(-1)
const last = Number(newest?.minor.split('.')[1])

export const newestMinor = `1.${last}`
export const newestPatch = newest?.newestPatch ?? ''
export const unknownMinor = `1.${last + 1}`
