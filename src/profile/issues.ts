// Structural errors of a profile, by finding id.

export const issues: Readonly<Record<string, string>> = {
  'unknown-field': 'the profile has an unknown field',
  'unknown-choice': 'a value is not one of the choices of its field',
  'wrong-kind': 'a value has the wrong type, such as a number instead of a string',
  'bad-value': 'a value does not have the required format',
  'bad-key': 'a map key does not have the required format',
  'missing-field': 'a required key is missing',
  'empty-value': 'a key without a value removes what an earlier layer sets',
}
