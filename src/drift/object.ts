// Compares an object in a cluster with its manifest.
import type { Drift } from '../model/drift.ts'
import { type Json, type JsonObject, qualifiedName, textAt } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import { compareTrees, type Leaf } from './compare.ts'
import { nodeDrift } from './node-drift.ts'
import { severityOf } from './severity.ts'
import { shapeOfFile } from './shape.ts'
import { concealedSides } from './format-value.ts'
import { fieldMessage } from './messages.ts'

export interface Described {
  /** The manifest in the bundle. */
  readonly file: string
  /** Name in messages: `ServiceAccount winnode-kube-proxy`. */
  readonly name: string
  readonly value: Json
}

const apply = ({ file }: Described) => `kubectl apply -f ${file}`

/**
 * Immutable fields: ValidateRuntimeClassUpdate in pkg/apis/node/validation/validation.go,
 * ValidateClusterRoleBindingUpdate in pkg/apis/rbac/validation/validation.go of https://github.com/kubernetes/kubernetes
 */
const immutable = /^(?:handler$|roleRef\b)/

/** The kubectl command; `undefined` for a name that needs quoting in a shell: RBAC names can contain almost any character. */
export function deletionOf(object: Json): string | undefined {
  const [kind, name, namespace] = [
    textAt(object, ['kind']),
    textAt(object, ['metadata', 'name']),
    textAt(object, ['metadata', 'namespace']),
  ]
  if (![kind, name, namespace || 'default'].every((one) => /^[\w.:-]+$/.test(one))) return undefined
  return `kubectl ${namespace === '' ? '' : `-n ${namespace} `}delete ${kind.toLowerCase()} ${name}`
}

function remedyFor(described: Described, field: string): string {
  const deletion = immutable.test(field) ? deletionOf(described.value) : undefined
  return deletion === undefined
    ? apply(described)
    : `${deletion} && ${apply(described)}: the field is immutable. Find out first what uses the object.`
}

/** The API server adds fields to applied objects, but no items to lists. */
export function objectDrifts(described: Described, found: Json): readonly Drift[] {
  const { file, name, value } = described
  const leaves = compareTrees(value, found, shapeOfFile(file))
  return leaves.filter(isOurs).map((leaf) => {
    const field = formatPath(leaf.path)
    const sides = concealedSides(leaf)
    return nodeDrift({
      id: 'object-differs',
      severity: severityOf(file, leaf.path.join('.')),
      weight: 'drift',
      subject: `cluster/${name}#${field}`,
      message: `${name}: ${fieldMessage(field, sides, 'theirs')}`,
      remedy: remedyFor(described, leaf.path.join('.')),
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
  return nodeDrift({
    id: 'object-missing',
    severity: 'error',
    weight: 'drift',
    subject: `cluster/${name}`,
    message: `${name} (${file}): missing in the cluster`,
    remedy: apply(described),
    owner: 'theirs',
    need: 'apply',
  })
}

/** `items` have winnode's label. */
export function leftObjects(
  kind: string,
  items: readonly JsonObject[],
  manifests: readonly Described[],
): readonly Drift[] {
  return items.flatMap((item) => {
    const name = `${kind} ${qualifiedName(item)}`
    if (manifests.some((one) => one.name === name)) return []
    const deletion = deletionOf({ ...item, kind }) ?? 'Delete it'
    return [
      nodeDrift({
        id: 'object-left',
        severity: 'warning',
        weight: 'informational',
        subject: `cluster/${name}`,
        message: `${name} was created from a bundle, but this profile has no manifest for it`,
        remedy: `${deletion}, unless the bundle of another profile contains it.`,
      }),
    ]
  })
}
