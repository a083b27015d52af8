// Command lines whose output must be identical on every runtime.
import { profiles } from './profiles.mjs'

const day = ['--as-of', '2026-11-20']
const builtin = 'ws2022-flannel-overlay'
const formats = ['pretty', 'lines', 'json', 'sarif', 'junit', 'markdown', 'github']

/** `often`: compared in every test run. */
const row = (name, argv, more = {}) => ({ name, argv, files: profiles, ...more })
const often = true

export function casesOf(commands, goldens) {
  return [...goldens.map(golden), ...pages(commands), ...findings(), ...mistakes(), ...streams()]
}

function golden({ name, text }) {
  const argv = ['render', './node.yaml', '--out', './out', ...day]
  const often = /newest|antrea|l2bridge-1.30/.test(name)
  return { name: `render ${name}`, argv, files: { 'node.yaml': text }, often }
}

function pages(commands) {
  const words = commands.map((id) => id.split(':'))
  return [
    row('help', [], { often }),
    ...words.map((command) => row(`${command.join(' ')} --help`, [...command, '--help'])),
    row('profiles', ['profiles'], { often }),
    row('profiles, as data', ['profiles', '--json']),
    row('profiles show', ['profiles', 'show', builtin, ...day]),
    row('schema', ['schema'], { often }),
    row('sizing', ['sizing', '--help']),
    ...['bash', 'zsh', 'fish', 'powershell'].map((one) =>
      row(`completion ${one}`, ['completion', one]),
    ),
    row('colours', ['validate', './bad.yaml', ...day], { env: { FORCE_COLOR: '1' }, often }),
    row('narrow', ['validate', './bad.yaml', ...day], { env: { COLUMNS: '30' } }),
    row('not a word', ['rendr']),
  ]
}

function findings() {
  const names = Object.keys(profiles).filter((name) => name.endsWith('.yaml'))
  const few = ['bad.yaml', 'broken.yaml', 'deep.yaml', 'large.yaml', 'folder.yaml']
  return [
    ...names.map((name) =>
      row(`validate ${name}`, ['validate', `./${name}`, ...day], few.includes(name) && { often }),
    ),
    ...formats.map((one) => row(`as ${one}`, ['validate', './bad.yaml', '--format', one, ...day])),
    row('by standard input', ['validate', '-', ...day], { stdin: profiles['bad.yaml'], often }),
    row('of a layer', [
      'validate',
      './good.yaml',
      '--layer',
      './layer.yaml',
      '--set',
      'network.vni=5000',
      ...day,
    ]),
    row('strict, as data', ['validate', builtin, '--strict', '--json', ...day], { often }),
    row('today', ['validate', builtin]),
  ]
}

function mistakes() {
  return [
    row('no profile', ['validate']),
    row('an unknown profile', ['validate', 'ws2022-flanel-overlay'], { often }),
    row('a missing file', ['render', './goood.yaml', '--out', './out']),
    row('an unknown flag', ['render', builtin, '--uot', './out', '--json'], { often }),
    row('a bad day', ['validate', builtin, '--as-of', 'yesterday']),
    row('a bad --set', ['validate', builtin, '--set', 'kubelet.maxPods']),
    row('out is a file', ['render', builtin, '--out', './notes.txt', ...day], { often }),
    row('out is the current folder', ['render', builtin, '--out', '.', ...day]),
    row('drift without evidence', ['drift', builtin]),
    row('drift of a file', ['drift', builtin, './notes.txt', ...day]),
    row('drift of a broken snapshot', ['drift', builtin, './node.json', ...day], {
      files: { 'node.json': '{"a": [1,}' },
      often,
    }),
    row('a broken baseline', [
      'drift',
      builtin,
      './notes.txt',
      '--baseline',
      './layer.yaml',
      ...day,
    ]),
    row('no terminal', ['init'], { often }),
    row(
      'init without questions',
      ['init', '--yes', '--base', builtin, '--out', './new.yaml', ...day],
      { often },
    ),
  ]
}

function streams() {
  const reportCode = 'code=$?; echo "returned $code" >&2'
  const bundle = `"$0" "$@" render ${builtin} --out ./out ${day.join(' ')}`
  return [
    row('a reader that leaves', [], {
      script: `{ "$0" "$@" schema; ${reportCode}; } | head -c 1 >/dev/null`,
      often,
    }),
    row('a full standard output', [], {
      script: `"$0" "$@" schema >/dev/full; ${reportCode}`,
      often,
    }),
    row('a version on a full disk', [], {
      script: `"$0" "$@" --version >/dev/full; ${reportCode}`,
      often,
    }),
    row('a closed standard output', [], { script: `"$0" "$@" schema >&-; ${reportCode}` }),
    row('a folder as standard input', [], {
      script: `"$0" "$@" validate - <.; ${reportCode}`,
      often,
    }),
    row('a folder as reports', [], { script: `"$0" "$@" doctor - <.; ${reportCode}`, often }),
    row('a standard input to write to', [], {
      script: `"$0" "$@" validate - 0>>/dev/null; ${reportCode}`,
    }),
    row('a closed standard input', [], { script: `"$0" "$@" validate - <&-; ${reportCode}` }),
    row('a second render, and one over edits', [], {
      script: `${bundle}; ${bundle}; echo mine >> out/node.json; ${bundle}; ${reportCode}; ${bundle} --diff; ${bundle} --force`,
      often,
    }),
    row('drift of an edited bundle', [], {
      script: `${bundle} --quiet >/dev/null 2>&1; sed -i s/maxPods/maxPod/ out/files/kubelet/config.json; "$0" "$@" drift ${builtin} ./out --explain ${day.join(' ')}; ${reportCode}`,
      often,
    }),
    ...['zip', 'single-file', 'userdata'].map((one) =>
      row(`for ${one}`, ['render', builtin, '--for', one, '--out', './out', ...day]),
    ),
    row('one file', ['render', builtin, '--only', 'WinNode.psm1', '--out', '-', ...day]),
  ]
}
