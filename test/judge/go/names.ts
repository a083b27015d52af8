// Names, labels and taints: apimachinery, pkg/util/validation/validation.go; pkg/util/taints/taints.go.

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const subdomain = new RegExp(`^${label}(?:\\.${label})*$`)
const word = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/

/** IsDNS1123Subdomain. */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text)
}

/** IsQualifiedName: of labels and taints. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split('/')
  const [name = '', prefix] = parts.toReversed()
  if (parts.length > 2 || name.length > 63 || !word.test(name)) return false
  return prefix === undefined || isSubdomain(prefix)
}

/** IsValidLabelValue. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && word.test(text))
}

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
