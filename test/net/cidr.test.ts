// Addresses and CIDRs: their canonical text, and the bounds of a block.
import { t } from 'tap'
import {
  addressAt,
  contains,
  enclosingPairs,
  formatAddress,
  formatCidr,
  overlaps,
  parseAddress,
  parseCidr,
} from '../../src/net/cidr.ts'

const cidrOf = (text: string) => {
  const cidr = parseCidr(text)
  if (!cidr) throw new Error(text)
  return cidr
}

t.test('the text of an address is that of RFC 5952', async (t) => {
  const rows: readonly (readonly [written: string, canonical: string | undefined])[] = [
    ['10.0.0.1', '10.0.0.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['0.0.0.0', '0.0.0.0'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8:0:0:0:0:0:0', '2001:db8::'],
    ['2001:0db8:0000:0001:0001:0001:0001:0001', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:0:0:0:1:0:0:1', '2001::1:0:0:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:10:0:0:100:0:0:10', '2001:10::100:0:0:10'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['01.0.0.1', undefined],
    ['10.0.0', undefined],
    ['10.0.0.256', undefined],
    ['1:2:3:4:5:6:7', undefined],
    ['1:2:3:4:5:6:7:8::', undefined],
    ['1::2::3', undefined],
    ['12345::', undefined],
    ['::10.0.0.256', undefined],
    ['fe80::1%eth0', undefined],
  ]
  for (const [written, canonical] of rows) {
    const address = parseAddress(written)
    t.equal(address && formatAddress(address), canonical, written)
  }
})

t.test('a CIDR has a prefix that fits', async (t) => {
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/8/8', '::/129', 'x/8'])
    t.equal(parseCidr(text), undefined, text)
  t.equal(formatCidr(cidrOf('10.1.2.3/32')), '10.1.2.3/32')
  t.equal(formatCidr(cidrOf('10.1.2.3/20')), '10.1.0.0/20')
  t.equal(formatCidr(cidrOf('10.1.2.3/0')), '0.0.0.0/0')
  t.equal(formatCidr(cidrOf('2001:0:0:1:0:0:0:1/112')), '2001:0:0:1::/112')
})

t.test('the bounds of a block', async (t) => {
  const block = cidrOf('10.0.1.0/24')
  for (const [text, within] of [
    ['10.0.0.255', false],
    ['10.0.1.0', true],
    ['10.0.1.255', true],
    ['10.0.2.0', false],
    ['::a00:100', false],
  ] as const) {
    const address = parseAddress(text)
    t.equal(address && contains(block, address), within, text)
  }
  const rows = { 0: '10.0.1.0', 10: '10.0.1.10', [-1]: '10.0.1.255', [-2]: '10.0.1.254' }
  for (const [offset, text] of Object.entries(rows))
    t.equal(formatAddress(addressAt(block, Number(offset))), text, offset)
  for (const [text, shared] of [
    ['10.0.0.0/24', false],
    ['10.0.0.0/23', true],
    ['10.0.1.128/25', true],
    ['10.0.2.0/24', false],
    ['::/0', false],
  ] as const)
    t.equal(overlaps(block, cidrOf(text)), shared, text)
})

t.test('each block is paired with the smallest around it', async (t) => {
  const pairs = (...texts: readonly string[]) => enclosingPairs(texts.map(cidrOf))
  t.strictSame(pairs('10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.2.0.0/16', '11.0.0.0/8'), [
    [1, 0],
    [2, 1],
    [3, 0],
  ])
  t.strictSame(pairs('10.1.2.0/24', 'a00::/8', '10.1.2.0/24'), [[2, 0]])
  t.strictSame(pairs('10.0.0.0/24', '10.0.1.0/24'), [])
})
