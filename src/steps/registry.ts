// Registry values of the profile, and those set by default.
import { registryIdentity, registryKey, registryValues } from '../matrix/registry-values.ts'
import type { Facts } from '../model/facts.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { tlsValues } from './tls.ts'

type Wanted = NodeSpec['host']['registry'][number]

/** https://learn.microsoft.com/windows/deployment/update/waas-wu-settings */
const noAutomaticUpdates = {
  kind: 'registryValue' as const,
  id: 'windows-update',
  key: 'HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate\\AU',
  name: 'NoAutoUpdate',
  type: 'DWord' as const,
  value: 1,
}

/**
 * Dumps of every program of the machine; small ones, which have the stacks of its threads.
 * https://learn.microsoft.com/windows/win32/wer/collecting-user-mode-dumps
 */
const dumps = (folder: string) =>
  [
    ['DumpFolder', 'ExpandString', folder],
    ['DumpCount', 'DWord', 10],
    ['DumpType', 'DWord', 1],
  ] as const

const dumpValues = (folder: string | undefined) =>
  (folder === undefined ? [] : dumps(folder)).map(([name, type, value]) => ({
    kind: 'registryValue' as const,
    id: `dumps-${name.slice('Dump'.length).toLowerCase()}`,
    key: 'HKLM\\SOFTWARE\\Microsoft\\Windows\\Windows Error Reporting\\LocalDumps',
    name,
    type,
    value,
  }))

/** Windows reads most of the values at boot only. */
export function registrySteps({ spec: { host }, windows }: Facts): readonly DraftStep[] {
  const applies = ({ builds }: Pick<Wanted, 'builds'>) => builds?.includes(windows.build) ?? true
  const given = host.registry.filter(applies)
  const named = new Set(given.map(registryIdentity))
  const defaults = registryValues
    .filter((row) => applies(row) && !named.has(registryIdentity(row)))
    .map((row) => ({ ...row, type: 'DWord' as const }))
  const ids = new Map<string, number>()
  const values = [...defaults, ...given].flatMap(({ path, name, type, value }) => {
    if (value === undefined) return []
    const slug = `registry-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
    const count = (ids.get(slug) ?? 0) + 1
    ids.set(slug, count)
    return {
      kind: 'registryValue' as const,
      id: count === 1 ? slug : `${slug}-${count}`,
      restart: 'maybe' as const,
      key: registryKey(path),
      name,
      type,
      value,
    }
  })
  const ofFields = [
    ...(host.windowsUpdate === 'manual' ? [noAutomaticUpdates] : []),
    ...dumpValues(host.processDumps),
    ...(host.tls === 'strict' ? tlsValues(windows) : []),
  ]
  return inPhase('image', [
    ...values,
    ...ofFields.filter(({ key, name }) => !named.has(registryIdentity({ path: key, name }))),
  ])
}
