// Structural errors of a profile, by finding id.
import type { Finding } from '../model/finding.ts'

export interface StructuralError extends Finding {
  readonly id: keyof typeof structuralErrors
}

export const structuralErrors = {
  'unknown-field': 'the profile has an unknown field',
  'unknown-choice': 'a value is not one of the choices of its field',
  'wrong-kind': 'a value has the wrong type, such as a number instead of a string',
  'bad-value': 'a value does not have the required format',
  'bad-key': 'a map key does not have the required format',
  'missing-field': 'a required key is missing',
  'empty-value': 'a key without a value removes what an earlier layer sets',
  'field-of-image': 'a field has no effect with the image of the provider',
}
