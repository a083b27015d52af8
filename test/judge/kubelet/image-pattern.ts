// Entries of preloadedImagesVerificationAllowlist: pkg/kubelet/images/pullmanager/image_pull_policies.go.
// https://github.com/distribution/reference/blob/main/regexp.go, normalize.go

const name = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const path = new RegExp(`^${name}(?:/${name})*$`)
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const domain = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`)

/** From 1.36 on: anything before a last `/*`, else a name as pods write it, without tag and digest. */
export function isPattern(text: string): boolean {
  if (text !== text.trim() || text === '/*') return false
  if (text.endsWith('/*')) return !text.slice(0, -1).includes('*')
  const last = text.split('/').at(-1) ?? ''
  return last !== '' && !/[:@*]/.test(last) && !/[@*]/.test(text)
}

/** getAllowlistImagePattern: anything before a last `/*`, else a name as it is kept, without tag and digest. */
export function isNormalizedPattern(text: string): boolean {
  if (text !== text.trim()) return false
  const folder = text.endsWith('/*')
  const plain = folder ? text.slice(0, -1) : text
  if (plain === '' || plain.includes('*')) return false
  return folder ? plain.length > 1 : isWholeName(plain)
}

/** Says its registry, so that ParseNormalizedNamed adds none. */
function isWholeName(text: string): boolean {
  const slash = text.indexOf('/')
  const registry = text.slice(0, Math.max(0, slash))
  const rest = text.slice(slash + 1)
  const said = /[.:A-Z]/.test(registry) || registry === 'localhost'
  if (!said || registry === 'index.docker.io') return false
  if (registry === 'docker.io' && !rest.includes('/')) return false
  return domain.test(registry) && path.test(rest) && text.length <= 255
}
