// Object: an object of a cluster beside the manifest that describes it.
import type { Drift } from '../model/drift.ts'
import type { Json } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import { compareTrees, type Leaf } from './compare.ts'
import { told } from './node-drift.ts'
import { severityOf } from './severity.ts'
import { shapeOfFile } from './shape.ts'
import { concealedValue } from './shown.ts'
import { fieldMessage } from './words.ts'

export interface Described {
  /** The manifest in the bundle. */
  readonly file: string
  /** As a person calls it: `ServiceAccount winnode-kube-proxy`. */
  readonly name: string
  readonly value: Json
}

const remedy = ({ file }: Described) => `kubectl apply -f ${file}`

/** The API server adds fields of its own to what was applied; items of a list are nobody's but a person's. */
export function objectDrifts(described: Described, found: Json): readonly Drift[] {
  const { file, name, value } = described
  const leaves = compareTrees(value, found, shapeOfFile(file))
  return leaves.filter(isOurs).map((leaf) => {
    const field = formatPath(leaf.path)
    const last = String(leaf.path.at(-1) ?? '')
    const sides = {
      ...(leaf.was !== undefined && { was: concealedValue(leaf.was, last) }),
      ...(leaf.should !== undefined && { should: concealedValue(leaf.should, last) }),
    }
    return told({
      id: 'object-differs',
      severity: severityOf(file, leaf.path.join('.')),
      weight: 'drift',
      subject: `cluster/${name}#${field}`,
      message: `${name}: ${fieldMessage({ name: field, was: sides.was, should: sides.should }, 'theirs')}`,
      remedy: remedy(described),
      owner: 'theirs',
      need: 'apply',
      ...sides,
    })
  })
}

function isOurs({ should, key }: Leaf): boolean {
  return should !== undefined || key.endsWith('[]') || /^(data|scheduling)\./.test(key)
}

export function missingObject(described: Described): Drift {
  const { file, name } = described
  return told({
    id: 'object-missing',
    severity: 'error',
    weight: 'drift',
    subject: `cluster/${name}`,
    message: `${name} of ${file} is not in the cluster`,
    remedy: remedy(described),
    owner: 'theirs',
    need: 'apply',
  })
}
