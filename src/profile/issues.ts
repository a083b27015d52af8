// Issues: what can be wrong with the shape of a profile, by the id that explains each.

export const issues: Readonly<Record<string, string>> = {
  'unknown-field': 'a key is not a field of a profile',
  'unknown-choice': 'a value is none of those that its field takes',
  'wrong-kind': 'a value is of another kind, such as a number in place of text',
  'bad-value': 'a value does not have the form that its field asks for',
  'bad-key': 'the key of a map does not have the form that its field asks for',
  'missing-field': 'a map lacks a key that it must have',
}
