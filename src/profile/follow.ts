// What is decided from a refused value, and so is as unknown as the value itself.
import { everyCni } from '../cni/index.ts'
import { valueAt, type JsonObject } from '../model/json.ts'
import { isWithin, type Path } from '../model/path.ts'

/** Which fields `versions.ts` and `resolve.ts` fill in from which. */
const follows: readonly (readonly [from: Path, decided: Path])[] = [
  [
    ['kubernetes', 'version'],
    ['kubernetes', 'apiServer'],
  ],
  [
    ['kubernetes', 'version'],
    ['kubernetes', 'kubeProxy'],
  ],
  [
    ['kubernetes', 'apiServer'],
    ['kubernetes', 'kubeadm'],
  ],
  [
    ['kubernetes', 'version'],
    ['containerd', 'version'],
  ],
  [
    ['kubernetes', 'version'],
    ['containerd', 'crictl'],
  ],
  [
    ['containerd', 'version'],
    ['containerd', 'configVersion'],
  ],
  [['kubernetes', 'kubeadm'], ['sandboxImage']],
  [['windows', 'release'], ['sandboxImage']],
  [
    ['network', 'cni'],
    ['network', 'name'],
  ],
  [
    ['network', 'mode'],
    ['network', 'name'],
  ],
  ...everyCni.flatMap(({ id, namedBy }) =>
    namedBy.map((field): readonly [Path, Path] => [
      ['network', id, field],
      ['network', 'name'],
    ]),
  ),
  [
    ['network', 'serviceCIDRs'],
    ['network', 'clusterDNS'],
  ],
]

/** The refused paths, and those that follow one of them because the profile leaves them open. */
export function withFollowers(refused: readonly Path[], document: JsonObject): readonly Path[] {
  const all = [...refused]
  for (const path of all)
    for (const [from, decided] of follows)
      if (isWithin(from, path) && valueAt(document, decided) === undefined) all.push(decided)
  return all
}

/** The fields that decide those of the paths which a profile leaves open, and the paths themselves. */
export function withSources(paths: readonly Path[]): readonly Path[] {
  const all = [...paths]
  for (const path of all)
    for (const [from, decided] of follows)
      if (isWithin(path, decided) && !all.includes(from)) all.push(from)
  return all
}
