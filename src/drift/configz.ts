// Compares the running configuration of a kubelet with the file that the profile renders.
import type { Drift } from '../model/drift.ts'
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import type { Plan, PlannedFile } from '../model/plan.ts'
import { isDerived } from './as-rendered.ts'
import { compareTrees, type Leaf } from './compare.ts'
import { fileNeed } from './needs.ts'
import { nodeDrift } from './node-drift.ts'
import { severityOf } from './severity.ts'
import { shapeOfFile } from './shape.ts'
import { concealedSides, formatValue } from './format-value.ts'
import { profileFieldOf, purposeOf } from './purpose.ts'

export const kubeletFile = 'files/kubelet/config.json'

/**
 * The kubelet returns its whole configuration, with flags merged and defaults filled in, below this key:
 * https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/server.go, initConfigz.
 */
const name = 'kubeletconfig'

export function kubeletDrifts(answer: JsonObject, should: Json, plan: Plan): readonly Drift[] {
  const found = answer[name]
  if (!isObject(found)) return [unreadKubelet(`the answer has no ${name}`)]
  const step = plan.steps.find((one) => 'source' in one && one.source === kubeletFile)
  const file = plan.files.find(({ path }) => path === kubeletFile)
  return (
    compareTrees(should, found, shapeOfFile(kubeletFile))
      // Without the file, the kubelet has further settings from elsewhere.
      .filter((leaf) => (file ? counts(leaf) : leaf.should !== undefined) && !isDerived(leaf, step))
      .map((leaf) => {
        const why = purposeOf(file, leaf)
        return { ...difference(leaf, file), ...(why && { why: why.why, see: why.see }) }
      })
  )
}

/** The kubelet could not be queried, or gave another answer. */
export function unreadKubelet(why: string): Drift {
  return nodeDrift({
    id: 'node-unknown',
    severity: 'error',
    weight: 'incomplete',
    subject: 'kubelet/configz',
    message: `kubelet /configz could not be read: ${why}`,
    remedy: 'Allow access to /configz, or run drift without --configz.',
  })
}

/** Maps without defaults, or fully rendered by the profile: an additional key in them is a difference. */
const whole = /^(?:featureGates|kubeReserved|systemReserved)\b|^evictionHard\./

function counts({ key, path, was, should }: Leaf): boolean {
  // Versions before 1.36 return neither: component-base, configz.go.
  if (path[0] === 'kind' || path[0] === 'apiVersion') return false
  if (should === undefined)
    return key.endsWith('[]') || (whole.test(path.join('.')) && !isEmpty(was ?? null))
  // Go omits empty values: `omitempty`.
  return was !== undefined || !isEmpty(should)
}

function isEmpty(value: Json): boolean {
  if (isList(value)) return value.length === 0
  if (isObject(value)) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false || value === null
}

function difference(leaf: Leaf, file: PlannedFile | undefined): Drift {
  const { path } = leaf
  const field = formatPath(path)
  const sides = concealedSides(leaf)
  const is = sides.was === undefined ? 'not set' : formatValue(sides.was, sides.should)
  const wanted = sides.should === undefined ? 'not set' : formatValue(sides.should, sides.was)
  const decides = profileFieldOf(kubeletFile, file, leaf)
  return nodeDrift({
    id: 'kubelet-differs',
    severity: severityOf(kubeletFile, path.join('.')),
    weight: 'drift',
    subject: `kubelet/${field}`,
    message: `${field} of the running kubelet: is ${is}, expected ${wanted}`,
    remedy:
      'Run Install-WinNode.ps1 of the current bundle on the node, which restarts the kubelet.',
    owner: 'theirs',
    need: fileNeed(kubeletFile, path.join('.')),
    ...(decides && { field: decides }),
    ...sides,
  })
}
