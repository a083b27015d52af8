// Completion: what is offered where a command line ends, and that each shell does with it what it should.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { inProcess, program as winnode, shell } from '../tools/run.ts'
import { onPath, terminals } from '../tools/terminal.ts'

async function offered(line: string): Promise<readonly string[]> {
  const { code, stdout } = await inProcess(['completion', 'bash', '--line', line])
  t.equal(code, 0)
  return stdout.split('\n').slice(0, -1)
}

t.test('what can come next', async (t) => {
  const credentials = ['kubeconfig', 'tokenFile', 'certificate', 'key'].map(
    (key) => `kubeProxy.credentials.${key}=`,
  )
  const rows: readonly [line: string, offers: readonly string[]][] = [
    ['winnode v', ['validate']],
    ['winnode --quiet v', ['validate']],
    ['winnode help v', ['validate']],
    ['winnode x', []],
    ['winnode x y', []],
    ['winnode profiles ', ['show']],
    ['winnode profiles show ws2022-a', ['ws2022-antrea', ':files']],
    ['winnode render ws2022-a', ['ws2022-antrea', ':files']],
    ['winnode render "ws2022-a', ['ws2022-antrea', ':files']],
    ['winnode render --as-of 2026-01-01 ws2022-a', ['ws2022-antrea', ':files']],
    ['winnode render ws2022-antrea ws2022-a', ['ws2022-antrea', ':files']],
    ['winnode drift ws2022-antrea ', [':files']],
    ['winnode drift ws2022-antrea a b', [':files']],
    ['winnode doctor ', [':files']],
    ['winnode mirror x --verify ', [':folders']],
    ['winnode bom ws2022-antrea ', []],
    ['winnode render --d', ['--dry-run', '--diff']],
    ['winnode render --dry-run --d', ['--diff']],
    ['winnode render --h', ['--help']],
    ['winnode render x --set a=b --set', ['--set']],
    ['winnode render x -o out --o', ['--offline', '--only']],
    ['winnode render x --out ', [':folders']],
    ['winnode render x -o ', [':folders']],
    ['winnode render x --out=', [':folders']],
    ['winnode render x --layer y', [':files']],
    ['winnode render x --as-of ', []],
    ['winnode render x --set network.mo', ['network.mode=']],
    [
      'winnode render x --set network.mode=',
      ['l2bridge', 'overlay', 'transparent'].map((mode) => `network.mode=${mode}`),
    ],
    ['winnode render x --set=network.mode=o', ['--set=network.mode=overlay']],
    ['winnode render x --set kubeProxy.credentials.t', ['kubeProxy.credentials.tokenFile=']],
    // A map, although null removes it.
    ['winnode render x --set kubeProxy.credentials', credentials],
    [
      'winnode render x --set host.powerPlan=',
      ['true', 'false'].map((one) => `host.powerPlan=${one}`),
    ],
    ['winnode render x --set kubelet.maxPods=', []],
    ['winnode validate x --format=p', ['--format=pretty']],
    ['winnode validate x --format p', ['pretty']],
    ['winnode completion p', ['powershell']],
    ['winnode sizing --profile ws2022-a', ['ws2022-antrea', ':files']],
    ['winnode explain calico-la', ['calico-lacks-windows-release']],
    ['winnode explain kubelet.maxP', ['kubelet.maxPods']],
    ['winnode explain x ', []],
    ['winnode matrix --windows ws2025', ['ws2025']],
    ['winnode init --cni ', ['flannel', 'calico', 'antrea', 'win-bridge', 'eks', 'none']],
    ['winnode init --cni=f', ['--cni=flannel']],
    ['winnode init --cni flannel --mode ', ['overlay', 'l2bridge']],
    ['winnode init --cni antrea --mode ', ['transparent']],
    ['winnode init --cni no --windows ws202', ['ws2025', 'ws2022']],
    ['winnode init --windows-release ws202', ['ws2025', 'ws2022']],
    ['winnode init --kubernetes-version 1.33 --api-server ', ['1.36', '1.35', '1.34', '1.33']],
    ['winnode init --hyper-v ', ['yes', 'no']],
    ['winnode init --cpu ', []],
    ['winnode init --from x --unset max', ['max-pods']],
    ['winnode init --from-cluster --context ', []],
  ]
  for (const [line, offers] of rows) t.strictSame(await offered(line), offers, line)
  t.ok((await offered('winnode ')).includes('completion'), 'all commands')
  const { stdout } = await inProcess([
    'completion',
    'fish',
    '--line',
    'winnode render x --set network.mo',
  ])
  t.match(stdout, /^network\.mode=\tHNS network mode: .*\n$/, 'with what it is')
  const ascii = await inProcess(['completion', 'powershell', '--line', 'winnode render x --set '])
  t.match(ascii.stdout, /^[\t\n -~]+$/, 'in characters of every code page')
  const json = await inProcess(['completion', 'zsh', '--json', '--line', 'winnode v'])
  t.match(JSON.parse(json.stdout), { ok: true, candidates: [{ value: 'validate' }] })
})

t.test('each script', async (t) => {
  for (const name of ['bash', 'zsh', 'fish', 'powershell']) {
    const { code, stdout } = await inProcess(['completion', name])
    t.equal(code, 0, name)
    t.match(stdout, `winnode completion ${name} --line`, 'asks for its shell')
    t.match(stdout, /^[\n -~]*\n$/, 'in ASCII')
  }
  t.match(await inProcess(['completion', 'tcsh']), {
    code: 2,
    stderr: /bash, zsh, fish, powershell/,
  })
  t.match(await inProcess(['completion']), { code: 2, stderr: /missing shell: bash\|zsh\|/ })
})

const spawn = await terminals()
const shells: readonly [name: string, start: () => readonly string[]][] = [
  ['bash', () => ['--norc', '--noprofile', '-i']],
  ['zsh', () => ['-f', '-i']],
  ['fish', () => ['--no-config', '-i']],
]
const setUp: Readonly<Record<string, string>> = {
  bash: 'bind "set completion-query-items 0"; bind "set page-completions off"; PS1="$ "; eval "$(winnode completion bash)"',
  zsh: 'PS1="$ "; autoload -Uz compinit; compinit -D -u; zstyle ":completion:*" list-prompt ""; source <(winnode completion zsh)',
  fish: 'function fish_prompt; echo -n "\\$ "; end; winnode completion fish | source',
}

/** Behind a word stands a blank, and nothing behind what goes on. */
const typings: readonly [typed: string, completed: string][] = [
  ['winnode vali', '[validate][Z]'],
  ['winnode render --dry', '[render][--dry-run][Z]'],
  ['winnode render ws2022-a', '[render][ws2022-antrea][Z]'],
  ['winnode render nod', '[render][node.yaml][Z]'],
  ['winnode render x --set network.mo', '[render][x][--set][network.mode=Z]'],
  ['winnode render x --set network.mode=o', '[render][x][--set][network.mode=overlay][Z]'],
  ['winnode validate x --format=p', '[validate][x][--format=pretty][Z]'],
  ['winnode render x --out inn', '[render][x][--out][inner/Z]'],
  ['winnode render x --layer inner/o', '[render][x][--layer][inner/other.yaml][Z]'],
]

for (const [name, start] of shells) {
  const program = onPath(name)
  const skip = !spawn ? 'no pseudo-terminal' : program === undefined ? `no ${name} here` : false
  t.test(`typed in ${name}`, { skip }, async (t) => {
    if (!spawn || program === undefined) return
    const folder = sandbox(t.testdir({ 'node.yaml': '', inner: { 'other.yaml': '' } }))
    const terminal = spawn([program, ...start()], {
      cwd: folder,
      env: {
        PATH: [path.join(folder, 'bin'), process.env['PATH']].join(path.delimiter),
        HOME: folder,
        ZDOTDIR: folder,
      },
    })
    try {
      terminal.type(`${setUp[name] ?? ''}; echo re""ady\r`)
      await terminal.until(/ready\n/)
      for (const [typed, completed] of typings) {
        terminal.type(typed, '\t')
        // It waits until the shell has completed the word.
        terminal.type('Z\r')
        t.equal(await terminal.until(/ran \[.*\n/), `ran ${completed}\n`, typed)
      }
    } finally {
      terminal.kill('SIGKILL')
      await terminal.ended
    }
  })
}

const powershell = onPath('pwsh')
t.test('typed in PowerShell', { skip: powershell === undefined && 'no pwsh here' }, async (t) => {
  const folder = sandbox(t.testdir({ 'node.yaml': '', inner: {} }))
  const lines = [
    'winnode vali',
    'winnode render --dry',
    'winnode render ws2022-a',
    'winnode render nod',
    'winnode render x --set network.mode=o',
    'winnode render x --out inn',
    'winnode render ',
  ]
  const script = [
    'winnode completion powershell | Out-String | Invoke-Expression',
    ...lines.map(
      (line) =>
        `([Management.Automation.CommandCompletion]::CompleteInput('${line}', ${line.length}, $null).CompletionMatches | ForEach-Object CompletionText) -join ' '`,
    ),
  ].join('\n')
  const { stdout, stderr } = shell('exec pwsh -NoProfile -NonInteractive -Command "$0"', [script], {
    cwd: folder,
    env: { PATH: [path.join(folder, 'bin'), process.env['PATH']].join(path.delimiter) },
  })
  t.equal(stderr, '')
  const [command, flag, profile, file, value, dir, all = ''] = stdout.split('\n')
  t.strictSame(
    [command, flag, profile, value],
    ['validate', '--dry-run', 'ws2022-antrea', 'network.mode=overlay'],
  )
  t.match(file, /node\.yaml$/)
  t.match(dir, /inner$/)
  t.match(all, /^base .*node\.yaml/)
})

/** The program under its own name; except for completion, it prints its arguments. */
function sandbox(folder: string): string {
  mkdirSync(path.join(folder, 'bin'))
  const file = path.join(folder, 'bin/winnode')
  const real = `exec ${winnode.map((word) => `"${word}"`).join(' ')} "$@"`
  const told = "printf 'ran '; printf '[%s]' \"$@\"; echo"
  writeFileSync(file, `#!/bin/sh\nif [ "$1" = completion ]; then ${real}; fi\n${told}\n`)
  chmodSync(file, 0o755)
  return folder
}
