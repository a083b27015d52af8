// Paths that a bundle can contain: each names the same file on Windows and on other systems.

/** The manifest of a bundle, and that of `targets` output, which contains bundles in folders. */
export const manifestNames = { bundle: 'node.json', output: 'winnode.json' } as const

interface SegmentRule {
  readonly pattern: RegExp
  readonly message: string
}

const device = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(\.|$)/i

/** Checks of each path segment; the first that fails is reported. */
const segmentRules: readonly SegmentRule[] = [
  { pattern: /^$/, message: 'is absolute, or has an empty part' },
  { pattern: /^.{256}/su, message: 'has a part of more than 255 characters' },
  { pattern: /^\.\.?$/, message: 'leaves its folder, or stays in it by a detour' },
  { pattern: /\\/, message: 'has a backslash' },
  { pattern: /:/, message: 'has a colon: a drive, or an alternate data stream' },
  { pattern: /[\p{Cc}<>"|?*]/u, message: 'has a character that Windows refuses' },
  { pattern: /[. ]$/, message: 'has a part that ends in a dot or a space, which Windows drops' },
  {
    pattern: device,
    message: 'has the name of a device',
  },
]

/** Whether Windows treats a name as a device, in any folder. */
export const isDevice = (name: string) => device.test(name)

/** What is wrong with one path, or `undefined`. */
export function pathProblem(path: string): string | undefined {
  const parts = path.split('/')
  return segmentRules.find(({ pattern }) => parts.some((part) => pattern.test(part)))?.message
}

/** Throws at the first path that is unsafe, or that differs from another path only in case. */
export function checkBundlePaths(paths: readonly string[]): void {
  const seenPaths = new Map<string, string>()
  for (const path of paths) {
    const problem = pathProblem(path) ?? collisionProblem(path, seenPaths)
    if (problem) throw new Error(`${JSON.stringify(path)} ${problem}`)
  }
}

/** Folders end in a slash here, so a folder and a file with the same name are distinct. */
function collisionProblem(path: string, spellings: Map<string, string>): string | undefined {
  const parts = path.split('/')
  const entries = parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
  for (const [index, entry] of entries.entries()) {
    const isFile = index === entries.length - 1
    const spelling = isFile ? entry : `${entry}/`
    const key = entry.normalize('NFC').toLowerCase()
    const known = spellings.get(key)
    if (known !== undefined && (isFile || known !== spelling)) return `is taken by ${known}`
    spellings.set(key, spelling)
  }
  return undefined
}
