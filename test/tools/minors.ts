// The newest Kubernetes minor in the tables, and the next one, which they lack.
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'

const last = Number(kubernetesMinors.at(-1)?.minor.split('.')[1])

export const newestMinor = `1.${last}`
export const unknownMinor = `1.${last + 1}`
