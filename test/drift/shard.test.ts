// winnode drift in shards: as one run, and what is refused.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  createWriteStream,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { parseAllDocuments } from 'yaml'
import { judgeKeys, type Keys } from '../judge/keys.ts'
import { metadataKeys } from '../judge/kubernetes-keys.ts'
import { blocksOf } from '../docs/readme.ts'
import { writeFleet } from '../tools/fleet.mjs'
import { inProcess, program } from '../tools/run.ts'
import { profile, rendered, scratch } from './asking.ts'

const folder = path.join(scratch, 'fleet')
const at = (name: string) => path.join(scratch, name)

writeFleet(rendered, folder, { nodes: 200 })
// A node twice, a file with several nodes, one that is cut off, and a folder.
cpSync(path.join(folder, 'win-00007.json'), path.join(folder, 'win-00120-again.json'))
const some = ['win-00010', 'win-00011'].map((name) => path.join(folder, `${name}.json`))
writeFileSync(
  path.join(folder, 'several.json'),
  some.map((file) => readFileSync(file, 'utf8').replace(/win-000/g, 'other-')).join('\n'),
)
writeFileSync(path.join(folder, 'win-00050.json'), '{"apiVersion": "winnode/v1",')
writeFileSync(path.join(folder, 'win-00051.json'), 'Error from server (Forbidden)')

const shard = async (part: string, env: Readonly<Record<string, string>> = {}) => {
  const file = at(`shard-${part.replace('/', '-of-')}${env['JOB_COMPLETION_INDEX'] ?? ''}`)
  const [command, ...words] = program
  const child = spawn(command, [...words, 'drift', profile, folder, '--shard', part], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const out = createWriteStream(file)
  child.stdout.pipe(out)
  await Promise.all([once(child, 'close'), once(out, 'finish')])
  return { file, code: child.exitCode }
}

const drift = (...argv: readonly string[]) => inProcess(['drift', profile, ...argv])

const shards = await Promise.all(['1/3', '2/3', '3/3'].map(async (part) => shard(part)))
const files = shards.map(({ file }) => file)

t.test('three processes give what one gives', async (t) => {
  t.strictSame(
    shards.map(({ code }) => code),
    [0, 0, 0],
    'what a shard finds is no result of its run',
  )
  for (const format of ['pretty', 'json', 'lines', 'junit', 'sarif', 'html', 'markdown']) {
    const one = await drift(folder, '--format', format)
    t.equal(one.code, 4)
    for (const order of [files, files.toReversed()])
      t.strictSame(await drift('--merge', ...order, '--format', format), one, format)
  }
  t.strictSame(await drift('--merge', ...files, '--json'), await drift(folder, '--json'))
  const nodes = files.map((file) => readFileSync(file, 'utf8').split('\n').length)
  t.ok(Math.max(...nodes) - Math.min(...nodes) < 3, `${nodes.join(', ')}: equal shares`)
})

t.test('several profiles', async (t) => {
  const profiles = ['--profile', profile, '--profile', 'ws2025-flannel-overlay']
  const parts = []
  for (const part of ['1/2', '2/2']) {
    const { code, stdout } = await inProcess(['drift', ...profiles, folder, '--shard', part])
    t.equal(code, 0)
    parts.push(at(`several-${part.replace('/', '-')}`))
    writeFileSync(parts.at(-1) ?? '', stdout)
  }
  const one = await inProcess(['drift', ...profiles, folder, '--format', 'lines'])
  const merged = await inProcess(['drift', ...profiles, '--merge', ...parts, '--format', 'lines'])
  t.strictSame(merged, one)
})

const edited = (name: string, edit: (text: string) => string) => {
  writeFileSync(at(name), edit(readFileSync(files[0] ?? '', 'utf8')))
  return [at(name), ...files.slice(1)]
}

t.test('a shard of more than 64 MiB', async (t) => {
  const line = (text: string) => /^{"file":0,.*"drifts":\[{/m.exec(text)?.[0] ?? ''
  const [large] = edited('large', (text) =>
    text.replace(line(text), `${line(text)}"padding":"${'a'.repeat(2 ** 20)}",`),
  )
  const padded = readFileSync(large ?? '', 'utf8').split('\n')
  const [head = '', first = '', ...rest] = padded
  const again = Array.from({ length: 70 }, () => first)
  writeFileSync(large ?? '', [head, ...again, ...rest].join('\n'))
  t.ok(statSync(large ?? '').size > 64 * 2 ** 20)
  const merged = await drift('--merge', large ?? '', ...files.slice(1), '--format', 'lines')
  t.match(merged, { code: 4, stderr: '' })
  t.match(merged.stdout, /node-twice/)
})

t.test('the index of a Job', async (t) => {
  const { file } = await shard('3', { JOB_COMPLETION_INDEX: '1' })
  t.equal(readFileSync(file, 'utf8'), readFileSync(files[1] ?? '', 'utf8'), 'it counts from 0')
})

const refused: readonly (readonly [
  what: string,
  argv: () => readonly string[],
  code: number,
  says: RegExp,
])[] = [
  ['a missing shard', () => ['--merge', ...files.slice(1)], 6, /shard 1\/3 is missing/],
  ['a shard twice', () => ['--merge', ...files, files[0] ?? ''], 2, /shard 1\/3 twice: /],
  ['no shard', () => ['--merge', path.join(folder, 'win-00001.json')], 2, /is not the output of/],
  ['no such file', () => ['--merge', at('nowhere')], 2, /nowhere/],
  ['nothing', () => ['--merge'], 2, /missing argument/],
  [
    'a shard that is cut off',
    () => ['--merge', ...edited('cut', (text) => text.slice(0, -20))],
    6,
    /cut is cut off, or was modified/,
  ],
  [
    'a line that is lost in part',
    () => ['--merge', ...edited('line', (text) => text.replace('"drifts":[', '"drifts":{'))],
    6,
    /line is cut off, or was modified/,
  ],
  [
    'a difference that is lost in part',
    () => ['--merge', ...edited('part', (text) => text.replace('"severity":', '"level":'))],
    6,
    /part is cut off, or was modified/,
  ],
  [
    'other files',
    () => [
      '--merge',
      ...edited('other', (text) => text.replace(/"digest":"..../, '"digest":"0000')),
    ],
    6,
    /are shards of different runs/,
  ],
  [
    'another winnode',
    () => ['--merge', ...edited('old', (text) => text.replace(/"version":"/, '"version":"9'))],
    2,
    /is of another winnode/,
  ],
  [
    'another profile',
    () => ['--set', 'kubelet.maxPods=60', '--merge', ...files],
    2,
    /is of another profile/,
  ],
  ['a bundle', () => [rendered, '--shard', '1/3'], 2, /is a bundle/],
  ['standard input', () => ['-', '--shard', '1/3'], 2, /a pipe has no files/],
  ['a shard beyond', () => [folder, '--shard', '4/3'], 2, /expected I\/N, from 1\/N to N\/N/],
  ['shard zero', () => [folder, '--shard', '0/3'], 2, /expected I\/N/],
  ['no index', () => [folder, '--shard', '3'], 2, /expected I\/N/],
  ['a format', () => [folder, '--shard', '1/3', '--format', 'json'], 2, /--format/],
  [
    'a rejected profile',
    () => [folder, '--set', 'kubelet.maxPods=0', '--shard', '1/3'],
    3,
    /nothing compared/,
  ],
]

t.test('what is refused', async (t) => {
  for (const [what, argv, code, says] of refused)
    t.match(await drift(...argv()), { code, stdout: '', stderr: says }, what)
  const moved = path.join(folder, 'win-00000.json')
  renameSync(moved, at('moved.json'))
  const late = await drift(folder, '--shard', '1/3')
  writeFileSync(at('late'), late.stdout)
  t.match(await drift('--merge', at('late'), ...files.slice(1)), {
    code: 6,
    stderr: /are shards of different runs/,
  })
  renameSync(at('moved.json'), moved)
})

const text = { type: 'string' } as const
const map = { type: 'object' } as const
const objects = { type: 'list of objects' } as const

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/ */
const jobKeys: Keys = { ...metadataKeys, ...jobSpecKeys('spec') }

function jobSpecKeys(spec: string): Keys {
  const pod = `${spec}.template.spec`
  return {
    [spec]: map,
    [`${spec}.backoffLimit`]: { type: 'integer' },
    [`${spec}.completionMode`]: { ...text, values: ['Indexed', 'NonIndexed'] },
    [`${spec}.completions`]: { type: 'integer' },
    [`${spec}.parallelism`]: { type: 'integer' },
    [`${spec}.backoffLimitPerIndex`]: { type: 'integer' },
    [`${spec}.template`]: map,
    [pod]: map,
    [`${pod}.restartPolicy`]: { ...text, values: ['Never', 'OnFailure'] },
    [`${pod}.nodeSelector`]: { type: 'map to strings' },
    [`${pod}.containers`]: objects,
    [`${pod}.containers[].name`]: text,
    [`${pod}.containers[].image`]: text,
    [`${pod}.containers[].command`]: { type: 'list of strings' },
    [`${pod}.containers[].args`]: { type: 'list of strings' },
    [`${pod}.containers[].workingDir`]: text,
    [`${pod}.containers[].volumeMounts`]: objects,
    [`${pod}.containers[].volumeMounts[].name`]: text,
    [`${pod}.containers[].volumeMounts[].mountPath`]: text,
    [`${pod}.volumes`]: objects,
    [`${pod}.volumes[].name`]: text,
    [`${pod}.volumes[].persistentVolumeClaim`]: map,
    [`${pod}.volumes[].persistentVolumeClaim.claimName`]: text,
  }
}

t.test('the Jobs of the page', async (t) => {
  const all = blocksOf('docs/nightly-drift.md', 'yaml').flatMap((block) =>
    parseAllDocuments(block).map((one) => one.toJS() as { kind?: string }),
  )
  const ofKind = (name: string) => all.filter(({ kind }) => kind === name)
  const jobs = ofKind('Job')
  t.equal(jobs.length, 1)
  for (const job of jobs) t.strictSame(judgeKeys(job, jobKeys, '1.37.0'), [])
  t.match(jobs[0], { spec: { completionMode: 'Indexed', completions: 10 } })
  t.match(JSON.stringify(jobs[0]), '--shard 10 ')
})
