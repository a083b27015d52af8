// Text for people: secrets are hidden, whatever form they have.
import t from 'tap'
import { redactSecrets } from '../../src/text/secrets.ts'

t.test('the value of a name that holds a secret is hidden', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['password: hunter2', 'password: *******'],
    ['"token": "s3cr3t", "a": 1', '"token": "******", "a": 1'],
    ['api_key=abc', 'api_key=***'],
    ['{clientSecret: abc}', '{clientSecret: ***}'],
    ['the token expires', 'the token expires'],
    ['tokens: 3 of 4', 'tokens: 3 of 4'],
  ]
  for (const [text, shown] of rows) t.equal(redactSecrets(text), shown, text)
})
