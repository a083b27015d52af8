// Valid and invalid profiles of every kind.

const header = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
const own = (text) => `${header}extends: ws2022-flannel-overlay\n${text}`

export const profiles = {
  'good.yaml': own('kubelet:\n  maxPods: 40\n'),
  'bad.yaml': own('kubelet:\n  maxPods: 0\n  maxpods: 3\nnetwork:\n  vni: 1\n  cni: calico\n'),
  'old.yaml': own('kubernetes:\n  version: "1.9"\nwindows:\n  release: 2016\n'),
  'broken.yaml': `${header}a: [1, 2\nb: "x\n`,
  'tabs.yaml': `${header}kubelet:\n\tmaxPods: 3\n`,
  'list.yaml': '- 1\n- 2\n',
  'empty.yaml': '',
  'nul.yaml': `${header}name: "a\\0b"\n`,
  'latin.yaml': Buffer.from([0xe4, 0xf6, 0xfc, 0x0a]),
  'utf16.yaml': Buffer.from(`\ufeff${own('')}`, 'utf16le'),
  'half.yaml': own('summary: "\\ud800"\n'),
  'deep.yaml': `${header}kubelet: ${'{a: '.repeat(3000)}1${'}'.repeat(3000)}\n`,
  'aliases.yaml': `${header}a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]\n`).join('')}`,
  'large.yaml': own(`summary: "${'x'.repeat(1_100_000)}"\n`),
  'wide.yaml': own(`summary: "${'漢字 '.repeat(200)}\\u001b[31m"\n`),
  'circle.yaml': `${header}extends: ./circle2.yaml\n`,
  'circle2.yaml': `${header}extends: ./circle.yaml\n`,
  'outside.yaml': `${header}extends: ../../etc/passwd.yaml\n`,
  'lost.yaml': `${header}extends: ws2022-flanel-overlay\n`,
  'loop.yaml': { link: 'loop.yaml' },
  'folder.yaml': {},
  'layer.yaml': 'kubelet:\n  maxPods: 50\n',
  'secret.yaml': own('join:\n  token: abcdef.0123456789abcdef\n'),
  'notes.txt': 'not a profile\n',
}
