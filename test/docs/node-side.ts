// docs/node-side.md and docs/security-model.md: tables of steps, events and folders, made of what the tests run.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { registryValues } from '../../src/matrix/registry-values.ts'
import { windowsReleases } from '../../src/matrix/windows.ts'
import { podsList, protectedList } from '../../src/model/layout.ts'
import type { StepKind } from '../../src/model/step.ts'
import { everyKind } from '../host/every-kind.ts'
import { events } from '../host/events.ts'
import { kills } from '../host/kills.ts'
import { promises } from '../host/promises.ts'
import { standIns } from '../node/step-kinds.ts'
import { root } from '../tools/run.ts'
import { code, table } from './markdown.ts'
import type { Rendered } from './rendered.ts'

const head = [
  'Kind',
  'Runs on the simulated host',
  'Killed in the middle of',
  'On Windows, on request',
]

/** The page with its tables generated again; `installed` is what is installed on Windows on request. */
export function withTables(name: string, installed: readonly Rendered[]): string {
  const text = readFileSync(path.join(root, name), 'utf8')
  return text
    .replace(/^\| Kind [^]*?(?=\n\n)/m, () => kindTable(installed))
    .replace(/^\| What happens [^]*?(?=\n\n)/m, eventTable)
    .replace(/^\| Registry value [^]*?(?=\n\n)/m, registryTable)
    .replace(/^\| Folder [^]*?(?=\n\n)/m, () => folderTable(installed[0]))
}

/** The accounts and their access to the folders of a profile. */
function folderTable(shown: Rendered | undefined): string {
  const access = new Map([
    [protectedList, 'SYSTEM and Administrators'],
    [podsList, 'also Users: read, create files; the creator: everything'],
  ])
  const rows = (shown?.plan.steps ?? []).flatMap((step) =>
    step.kind === 'directory'
      ? [[code(step.path), access.get(step.sddl ?? '') ?? 'inherited']]
      : [],
  )
  return table(['Folder', 'Access'], rows)
}

function eventTable(): string {
  const lived = events.map(({ minutes, since = '', ...event }) => ({
    ...event,
    within: `${minutes} minutes ${since}`.trim(),
  }))
  const rows = [...lived, ...promises].map(({ what, itself, within, person = '' }) => [
    what,
    itself,
    within,
    person,
  ])
  return table(['What happens', 'The reconcile loop', 'Within', 'You'], rows)
}

function registryTable(): string {
  const rows = registryValues.map((row) => [
    code(`${row.path}\\${row.name}`),
    String(row.value),
    windowsReleases
      .filter(({ build, channel }) => channel === 'LTSC' && (row.builds?.includes(build) ?? false))
      .map(({ name }) => name)
      .join(', ') || 'all',
    `${row.why} ([source](${row.see}))${row.note === undefined ? '' : `; ${row.note}`}`,
  ])
  return table(['Registry value', 'Data', 'On', 'What it does'], rows)
}

function kindTable(installed: readonly Rendered[]): string {
  const machines = [everyKind(), everyKind(undefined, 'kubelet')]
  const run = new Set(machines.flatMap(({ steps }) => steps.map(({ kind }) => kind)))
  const steps = installed.flatMap(({ plan }) => plan.steps)
  const drifted = /const drifted = \[([^\]]*)\]/.exec(script())?.[1] ?? ''
  const rows = Object.entries(standIns).map(([kind, standIn]) => {
    const own = steps.filter((step) => step.kind === kind)
    const image = own.some(({ phase }) => phase === 'image')
    const changed = own.some(({ id }) => drifted.includes(`'${id}'`))
    const cut = kills.filter((kill) => kill.kind === kind).map((kill) => kill.name)
    const host = standIn === '' ? 'real' : `real, but for ${standIn}`
    return [
      code(kind),
      run.has(kind) ? host : 'not yet',
      cut.join('; '),
      changed ? 'installed, changed, repaired' : image && !left.has(kind) ? 'installed' : '',
    ]
  })
  return table(head, rows)
}

/** It requires a restart, which the simulated host does not do here. */
const left: ReadonlySet<string> = new Set<StepKind>(['pageFile'])

function script(): string {
  return readFileSync(path.join(root, 'test/node/real-node.mjs'), 'utf8')
}
