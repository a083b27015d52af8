// Configz: what a kubelet runs with, beside the file that the profile writes for it.
import type { Drift } from '../model/drift.ts'
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import type { Plan, PlannedFile } from '../model/plan.ts'
import type { Derivation } from '../model/step.ts'
import { compareTrees, type Leaf } from './compare.ts'
import { fileNeed } from './needs.ts'
import { told } from './node-drift.ts'
import { severityOf } from './severity.ts'
import { shapeOfFile } from './shape.ts'
import { concealedValue, shown } from './shown.ts'
import { profileFieldOf, whyOf } from './why.ts'

export const kubeletFile = 'files/kubelet/config.json'

/**
 * The kubelet answers with all of its configuration, flags merged and defaults filled in, below this name:
 * https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/server.go, initConfigz.
 */
const name = 'kubeletconfig'

export function kubeletDrifts(answer: JsonObject, should: Json, plan: Plan): readonly Drift[] {
  const found = answer[name]
  if (!isObject(found)) return [unreadKubelet(`its answer has no ${name}`)]
  const step = plan.steps.find((one) => 'source' in one && one.source === kubeletFile)
  const derived = step?.kind === 'derivedFile' ? step.derive : []
  const file = plan.files.find(({ path }) => path === kubeletFile)
  return compareTrees(should, found, shapeOfFile(kubeletFile))
    .filter((leaf) => counts(leaf) && !isDerived(leaf, derived))
    .map((leaf) => {
      const why = whyOf(file, leaf)
      return { ...difference(leaf, file), ...(why && { why: why.why, see: why.see }) }
    })
}

/** Nobody could ask it, or it did not answer so. */
export function unreadKubelet(why: string): Drift {
  return told({
    id: 'node-unknown',
    severity: 'error',
    weight: 'incomplete',
    subject: 'kubelet/configz',
    message: `the kubelet could not be asked: ${why}`,
    remedy: 'Let it be asked, or leave --configz out.',
  })
}

/** Maps without defaults, or that the profile writes whole: what else is in them, somebody put there. */
const whole = /^(?:featureGates|kubeReserved|systemReserved)\b|^evictionHard\./

function counts({ key, path, was, should }: Leaf): boolean {
  // Versions before 1.36 name neither: component-base, configz.go.
  if (path[0] === 'kind' || path[0] === 'apiVersion') return false
  if (should === undefined)
    return key.endsWith('[]') || (whole.test(path.join('.')) && !isEmpty(was ?? null))
  // Go leaves out what is empty: `omitempty`.
  return was !== undefined || !isEmpty(should)
}

function isEmpty(value: Json): boolean {
  if (isList(value)) return value.length === 0
  if (isObject(value)) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false || value === null
}

/** The node sets it itself. */
function isDerived({ at, path }: Leaf, derived: readonly Derivation[]): boolean {
  const steps = at.length > 0 ? at : path
  return derived.some(({ pointer }) => pointer === steps.map((step) => `/${step}`).join(''))
}

function difference(leaf: Leaf, file: PlannedFile | undefined): Drift {
  const { path, was, should } = leaf
  const field = formatPath(path)
  const last = String(path.at(-1) ?? '')
  const sides = {
    ...(was !== undefined && { was: concealedValue(was, last) }),
    ...(should !== undefined && { should: concealedValue(should, last) }),
  }
  const is = sides.was === undefined ? 'without it' : `with ${shown(sides.was)}`
  const wanted = sides.should === undefined ? 'nothing' : shown(sides.should)
  const decides = profileFieldOf(kubeletFile, file, leaf)
  return told({
    id: 'kubelet-differs',
    severity: severityOf(kubeletFile, path.join('.')),
    weight: 'drift',
    subject: `kubelet/${field}`,
    message: `${field}: the kubelet runs ${is}, and the profile says ${wanted}`,
    remedy: 'Run Install-WinNode.ps1 on the node, which starts the kubelet anew.',
    owner: 'theirs',
    need: fileNeed(kubeletFile, path.join('.')),
    ...(decides && { field: decides }),
    ...sides,
  })
}
