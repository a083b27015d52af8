// What winnode drift prints: each format stays whole whatever evidence says, and the page can be read.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { escapeControls } from '../../src/text/printable.ts'
import { style } from '../../src/present/html/style.ts'
import { inProcess, shell } from '../tools/run.ts'
import { type Answer, ask, copyOf, scratch, profile, swap } from './asking.ts'
import { differs, fleet, snapshot, steps } from './nodes.ts'

const noBrowser = shell('command -v chromium', []).code === 0 ? false : 'no chromium'

/** What breaks terminals, lines, tables, tags, commands of a workflow, cells of a sheet and JSON. */
const rudeness =
  '\u001b[2J\u009b31m\r\n::error::x\u2028\u202e\u0000\u0007%0A|`a`</td></testcase>]]><!--"\'&=1+1 @team #1 ${x} \\u0041\ud800'

/** How each format stays whole: what must be so of its text, with as many differences. */
const stays: Readonly<Record<string, (text: string, count: number) => boolean>> = {
  pretty: () => true,
  lines: (text, count) => text.trimEnd().split('\n').length === count,
  json: (text, count) => {
    const answer = JSON.parse(text) as Answer
    const whole = `${escapeControls(JSON.stringify(answer, null, 2))}\n`
    return answer.drift.length === count && text === whole
  },
  sarif: (text, count) =>
    (JSON.parse(text) as { runs: { results: unknown[] }[] }).runs[0]?.results.length === count,
  junit: (text, count) =>
    (text.match(/<testcase /g) ?? []).length ===
      (text.match(/<testcase [^<>]*(?:\/>|>)/g) ?? []).length &&
    !text.includes(']]>') &&
    (text.match(/ \[[a-z-]+\]/g) ?? []).length === count,
  markdown: (text, count) => {
    const plain = text.replace(/\\[^]/g, '').replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
    const rows = plain.split('\n').filter((line) => line.startsWith('| '))
    return (
      rows.length === count + 2 &&
      rows.every((row) => row.split('|').length === 6) &&
      !/<\/t|@t/.test(plain)
    )
  },
  github: (text, count) =>
    text
      .trimEnd()
      .split('\n')
      .filter((line) => /^::(error|warning|notice) title=[a-z-]+[,:]/.test(line)).length ===
      count && text.trimEnd().split('\n').length === count,
  html: (text) => !text.includes('</td>') && !text.includes('</testcase>') && !text.includes('"=1'),
}

t.test('whatever evidence says, each format stays whole', async (t) => {
  const value = JSON.stringify(rudeness)
  const bundle = copyOf({
    'files/kubelet/config.json': (text) =>
      text.replace('"cluster.local"', value).replace('{', `{ ${value}: ${value},`),
    'files/containerd/config.toml': (text) => `${text}\n[${rudeness}`,
  })
  const rude = snapshot(
    { 'power-plan': ['Different', rudeness], [rudeness]: ['Odd', rudeness] },
    { node: rudeness },
  )
  const ill = [{ id: rudeness, verdict: 'fail', evidence: rudeness, remedy: rudeness }]
  const name = rudeness.replace(/[/\0\ud800]/g, '')
  const nodes = fleet({
    [`${name}.json`]: {
      ...rude,
      health: ill,
      steps: [...rude.steps, { id: rudeness, state: rudeness }],
    },
    [`${name}-2.json`]: `{ ${rudeness}`,
    'other.json': snapshot(),
  })
  const { drift } = await ask(profile, bundle, nodes)
  t.ok(drift.length >= 7, drift.map(({ id }) => id).join(' '))
  for (const [format, holds] of Object.entries(stays)) {
    const { stdout, code } = await inProcess(['drift', profile, bundle, nodes, '--format', format])
    t.equal(code, 4, format)
    const bare = format === 'html' ? stdout.replace(/\t/g, ' ') : stdout
    t.notMatch(
      bare,
      /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u,
      `${format} has no sign that does something`,
    )
    t.ok(holds(stdout, drift.length), `${format} stays whole: ${stdout.slice(0, 3000)}`)
  }
})

t.test('a fix that needs a reset says after which change', async (t) => {
  const { steps: image, ...rest } = snapshot({ 'power-plan': ['Different', 'x'] })
  const network = { id: 'hns-network', kind: 'hnsNetwork', state: 'Different', detail: 'x' }
  const { drift } = await ask(profile, fleet({ 'a.json': { ...rest, steps: [...image, network] } }))
  const remedies = drift.flatMap(({ id, need, remedy }) =>
    id === 'step-differs' ? [[need, remedy]] : [],
  )
  t.match(remedies, [
    ['install', /^Run Install-WinNode\.ps1 of the current bundle on the node\.$/],
    ['join', / After a change of the profile, reset the node first\.$/],
  ])
})

t.test('quietly, only what differs is printed', async (t) => {
  const well = fleet({ 'win-1.json': snapshot() })
  t.match(await inProcess(['drift', profile, well, '-q']), { code: 0, stdout: '', stderr: '' })
  const ill = fleet({ 'win-1.json': steps(differs), 'win-2.json': snapshot() })
  const quiet = await inProcess(['drift', profile, ill, '-q'])
  t.match(quiet, { code: 4, stdout: /^warning\[step-differs\]/ })
  t.match((await inProcess(['drift', profile, ill, '-q', '--format', 'lines'])).stdout, /\n/)
  const warns = fleet({ 'win-1.json': snapshot({}, { preflight: [warning] }) })
  t.match((await inProcess(['drift', profile, warns])).stdout, /^note\[node-warns\]/)
  t.match(await inProcess(['drift', profile, warns, '-q']), { code: 0, stdout: '' })
})

/** As Test-WinNode.ps1 -AsJson prints a check that passes with a warning. */
const warning = {
  ...{ id: 'free-disk', passed: false, verdict: 'warn', message: 'C: has 11 GiB free' },
}

t.test('a refusal of several profiles names the flag', async (t) => {
  const rows = [
    ['--kubeconfig', 'kc.yaml'],
    ['--baseline', 'b.json'],
    ['--write-baseline', 'b.json'],
    ['--format', 'html'],
  ]
  for (const [flag = '', value = ''] of rows) {
    const two = ['--profile', profile, '--profile', 'ws2022-antrea', scratch]
    const { code, stderr } = await inProcess(['drift', ...two, flag, value])
    t.equal(code, 2, flag)
    t.match(stderr, new RegExp(`^error: ${flag}[a-z -]* takes? one profile`), flag)
    t.match(stderr, 'run winnode drift for each profile', flag)
  }
})

t.test('the page of differences stands alone, and no value becomes a part of it', async (t) => {
  const rude = '</script><img src=x onerror=alert(1)>'
  const edit = swap('"clusterDomain": "cluster.local"', `"clusterDomain": ${JSON.stringify(rude)}`)
  const folder = copyOf({ 'files/kubelet/config.json': edit })
  const ill = snapshot({ 'power-plan': ['Different', rude] }, { node: rude })
  const nodes = fleet({ 'win-1.json': ill, 'win-2.json': snapshot() })
  const { stdout, code } = await inProcess(['drift', profile, folder, nodes, '--format', 'html'])
  t.equal(code, 4)
  t.notMatch(stdout, '<img', 'nothing of it is a tag')
  t.match(stdout, '&lt;img src=x onerror=alert(1)&gt;')
  t.notMatch(stdout, /<(link|script|img|iframe)[^>]*(src|href)=|@import|url\(/, 'it loads nothing')
  t.match(stdout, /^<!doctype html>\n<html lang="en">/)
  const open = [...stdout.matchAll(/<(details|section|div|dl|ul|form|main|summary)[ >]/g)]
  const closed = [...stdout.matchAll(/<\/(details|section|div|dl|ul|form|main|summary)>/g)]
  t.equal(open.length, closed.length, 'each part ends')
  const ids = [...stdout.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length, 'each id once')
  for (const [, target = ''] of stdout.matchAll(/href="#([^"]*)"/g))
    t.ok(ids.includes(target), target)
  t.match(stdout, 'Nothing on the other node.')
  const alike = fleet({
    'win-1.json': snapshot({ 'power-plan': ['Different', 'x'] }, { node: 'win-1' }),
    'win-2.json': snapshot({ 'power-plan': ['Different', 'x'] }, { node: 'win-2' }),
    'win-3.json': snapshot({}, { node: 'win-3' }),
  })
  const shared = await inProcess(['drift', profile, alike, '--format', 'html'])
  t.match(shared.stdout, '(x)</p><p class="soft">win-1, win-2</p>', 'it names the nodes')
  const well = fleet({ 'win-2.json': snapshot() })
  const quiet = await inProcess(['drift', profile, well, '--format', 'html'])
  t.match(quiet.stdout, 'Nothing on the node.')
})

/** What a browser makes of the page: asked by a script at its end, which leaves its answers in the page. */
const asking = `<script>
  const shown = () => [...document.querySelectorAll('details')].filter((one) => one.checkVisibility()).map((one) => one.firstElementChild.id)
  const words = document.querySelector('input[type=search]')
  const type = (text) => { words.value = text; words.dispatchEvent(new Event('input', { bubbles: true })); return shown() }
  const boxes = [...document.querySelectorAll('input[type=checkbox]')]
  const answers = {
    all: shown(), label: words.labels[0].textContent.trim(), status: document.querySelector('output').value,
    one: type('win-1'), none: type('win-1 nowhere'), again: type(''),
    warnings: (boxes[0].click(), shown()), both: (boxes[0].click(), shown()),
    focusable: [...document.querySelectorAll('summary')].every((one) => one.tabIndex === 0),
    wide: document.documentElement.scrollWidth - innerWidth,
  }
  location.hash = '#d1'
  addEventListener('hashchange', () => setTimeout(() => {
    answers.open = document.querySelector('#d1').parentElement.open && document.activeElement.id === 'd1'
    document.title = JSON.stringify(answers)
  }, 100))
</script></body>`

t.test('a browser shows, filters and opens what differs', { skip: noBrowser }, async (t) => {
  const edit = { 'WinNode.psm1': (text: string) => `${text}# mine\n` }
  const nodes = fleet({ 'win-1.json': steps(differs), 'win-2.json': snapshot() })
  const page = await inProcess(['drift', profile, copyOf(edit), nodes, '--format', 'html'])
  const file = path.join(scratch, 'page.html')
  writeFileSync(file, page.stdout.replace('</body>', asking))
  const { stdout } = shell(
    'timeout 60 chromium --headless --no-sandbox --disable-gpu --window-size=400,800 --virtual-time-budget=2000 --dump-dom "file://$0"',
    [file],
    { env: { HOME: scratch } },
  )
  const [, title = '{}'] = /<title>([^]*?)<\/title>/.exec(stdout) ?? []
  t.strictSame(JSON.parse(title), {
    all: ['d0', 'd1', 'n0'],
    label: 'Filter by node, field or word',
    status: '3 of 3 shown',
    one: ['d1', 'n0'],
    none: [],
    again: ['d0', 'd1', 'n0'],
    warnings: ['d1', 'n0'],
    both: ['d0', 'd1', 'n0'],
    focusable: true,
    wide: 0,
    open: true,
  })
})

t.test('each colour of the page can be read on what it stands on', (t) => {
  const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)')
  for (const [name, of] of Object.entries({ light, dark })) {
    const found = Object.fromEntries(
      [...of.matchAll(/--(\w+): (#[0-9a-f]{6})/g)].map(([, key, value]) => [key, value]),
    )
    for (const [key, colour] of Object.entries(found).filter(
      ([one]) => !/page|raised|line/.test(one),
    ))
      for (const ground of ['page', 'raised'])
        t.ok(contrast(String(colour), String(found[ground])) >= 4.5, `${name}: ${key} on ${ground}`)
  }
  t.end()
})

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, ground: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(ground)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

t.test('an empty value is in quotes', async (t) => {
  const hash = `join.caCertHashes=[sha256:${'a'.repeat(64)}]`
  const endpoint = 'join.endpoint=api.example.com:6443'
  const argv = ['drift', profile, path.join(scratch, 'rendered'), '--set', endpoint, '--set', hash]
  const { stdout } = await inProcess(argv)
  t.match(stdout, /\n {2}discovery\.tlsBootstrapToken: "" → missing\n/)
})
