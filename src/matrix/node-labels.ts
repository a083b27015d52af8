// Labels that a kubelet may give its own node: those that the admission plugin NodeRestriction lets through.
import tables from '#tables'

const { reserved, namespaces, keys, byKubelet } = tables['node-labels']

/** Set by the kubelet itself, regardless of the profile. */
export const labelsOfTheKubelet: readonly string[] = byKubelet

/** Any other key is rejected when the kubelet starts, and when it registers. */
export function mayLabelItself(key: string): boolean {
  const slash = key.indexOf('/')
  if (slash === -1) return true
  const namespace = key.slice(0, slash)
  if (!isWithin(namespace, reserved)) return true
  return keys.includes(key) || isWithin(namespace, namespaces)
}

function isWithin(namespace: string, parents: readonly string[]): boolean {
  return parents.some((parent) => namespace === parent || namespace.endsWith(`.${parent}`))
}
