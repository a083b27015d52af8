// Text for people: secrets are hidden, whatever form they have, and a word that is meant is found.
import t from 'tap'
import { nearest, nearestName } from '../../src/text/nearest.ts'
import { truncateMiddle } from '../../src/text/shortened.ts'
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

t.test('the word that is meant is near, or the only one that contains it', async (t) => {
  const releases = ['ws2019', 'ws2022', 'ws23h2', 'ws2025']
  const rows: readonly (readonly [word: string, names: readonly string[], meant?: string])[] = [
    ['ws2202', releases, 'ws2022'],
    ['WS2022', releases, 'ws2022'],
    ['2025', releases, 'ws2025'],
    ['H2', releases],
    ['3h2', releases, 'ws23h2'],
    ['202', releases],
    ['ws', releases],
    ['flanel', ['flannel', 'calico'], 'flannel'],
    ['calcio', ['flannel', 'calico'], 'calico'],
    ['cilium', ['flannel', 'calico']],
    ['ab', ['ac', 'xy']],
    ['abc', ['abd', 'xyz'], 'abd'],
    ['abc', ['xbd', 'xyz']],
    ['constructor', ['flannel']],
  ]
  for (const [word, names, meant] of rows) t.equal(nearest(word, names), meant, word)
})

t.test('a name is meant by the words that it shares', async (t) => {
  const names = ['hns-network', 'hns-network-pending', 'cri-socket', 'dns-policy-with-host-net']
  const rows: readonly (readonly [typed: string, meant?: string])[] = [
    ['DisableHNSNetwrok', 'hns-network'],
    ['pending HNS network', 'hns-network-pending'],
    ['csi-socket', 'cri-socket'],
    ['hnsnetworkpending', 'hns-network-pending'],
    ['csi-driver'],
    ['csi'],
    ['---'],
    ['something else'],
  ]
  for (const [typed, meant] of rows) t.equal(nearestName(typed, names), meant, typed)
})

t.test('a long text keeps its start and its end', async (t) => {
  const [start, end] = ['a'.repeat(90), 'b'.repeat(90)]
  t.equal(truncateMiddle(start, 90), start)
  t.equal(
    truncateMiddle(start + end, 40),
    `${start.slice(0, 30)}… (140 characters more) …${end.slice(0, 10)}`,
  )
})
