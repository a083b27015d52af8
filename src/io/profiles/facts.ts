// Finds and reads the file of facts that a profile, a profile that it extends, or a layer names.
import { relative } from 'node:path'
import type { Finding } from '../../model/finding.ts'
import { isEmptyKey, type Layer } from '../../model/layer.ts'
import type { AddedFacts } from '../../model/tables.ts'
import { addedFactsOf } from '../added-facts.ts'
import { problem, type ProblemId } from '../problems.ts'
import { kindOf } from './header.ts'
import { ownFile } from './profile-file.ts'
import { readRegularFile } from './read-file.ts'
import { isRelative, withinRoot } from './within-root.ts'

interface NamedFacts {
  readonly facts: AddedFacts | undefined
  readonly findings: readonly Finding[]
}

const path = ['facts']

/** That of the strongest layer counts; null removes it. `layers` have their headers. */
export function namedFacts(layers: readonly Layer[], cwd: string): NamedFacts {
  const names = ({ patch }: Layer) => (patch['facts'] ?? null) !== null
  const naming = layers.filter(
    (layer, at) =>
      names(layer) ||
      // Else the key would remove the file that a weaker layer names.
      (isEmptyKey(layer, path) && layers.slice(0, at).some(names)),
  )
  const notText = naming.flatMap((layer) => {
    const reference = layer.patch['facts'] ?? null
    if (typeof reference === 'string' && reference !== '') return []
    const about = reference === '' ? 'empty' : kindOf(reference)
    return [problem('facts-not-text', { path, place: layer.place(path) }, about)]
  })
  const layer = layers.findLast(({ patch }) => patch['facts'] !== undefined)
  const reference = layer?.patch['facts']
  if (!layer || typeof reference !== 'string' || notText.length > 0)
    return { facts: undefined, findings: notText }
  const refused = (id: ProblemId, about: string) => ({
    facts: undefined,
    findings: [problem(id, { path, place: layer.place(path) }, about)],
  })
  if (!isRelative(reference)) return refused('facts-not-relative', reference)
  const found = withinRoot(reference, layer.file ?? ownFile(cwd, '-'))
  if (found.kind === 'leaves-folder') return refused('facts-leaves-folder', reference)
  if (found.kind === 'missing') return refused('facts-unknown', reference)
  const read = readRegularFile(found.path)
  if (read.kind !== 'read') return refused('facts-invalid', `${reference}: ${read.reason}`)
  // As the profile writes it: the same bundle from every folder.
  const facts = addedFactsOf(read.bytes, { name: reference, file: relative(cwd, found.path) })
  if (typeof facts === 'string') return refused('facts-invalid', facts)
  return { facts, findings: [] }
}
