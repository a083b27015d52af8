// Labels that a kubelet may give its own node: what NodeRestriction lets through.
// https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction

/** Namespaces that are the project's own, so that a name in them needs permission. */
const reserved = ['kubernetes.io', 'k8s.io'] as const

const allowedNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'] as const

const allowedKeys: readonly string[] = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]

/** Written by the kubelet itself, whatever a profile says. */
export const labelsOfTheKubelet: readonly string[] = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/windows-build',
]

/** A key outside is refused when the kubelet starts, and again when it registers. */
export function mayLabelItself(key: string): boolean {
  const slash = key.indexOf('/')
  if (slash === -1) return true
  const namespace = key.slice(0, slash)
  if (!isWithin(namespace, reserved)) return true
  return allowedKeys.includes(key) || isWithin(namespace, allowedNamespaces)
}

function isWithin(namespace: string, parents: readonly string[]): boolean {
  return parents.some((parent) => namespace === parent || namespace.endsWith(`.${parent}`))
}
