// The folder of images: one that Windows and winnode leave to containerd.
import { pathProblem } from '../model/bundle-path.ts'
import { layout } from '../model/layout.ts'
import { defineRule } from '../model/rule.ts'

/**
 * Folders that others share, or that belong to a step of ours; images neither lie in them, nor they in images. What
 * no path of a profile may name (`node-path.ts`) is not here again.
 */
const taken: readonly string[] = [
  'C:\\Users',
  'C:\\Program Files',
  'C:\\Program Files (x86)',
  'C:\\PerfLogs',
  ...Object.values(layout).filter((path) => path !== layout.containerdRoot),
]

/** Folders at the root of every drive that Windows keeps for itself, closes, empties or sets back. */
const ofEveryDrive: readonly string[] = ['$WinREAgent', 'Config.Msi', 'EFI']

const within = (inner: string, outer: string): boolean =>
  `${inner}\\`.toLowerCase().startsWith(`${outer}\\`.toLowerCase())

function problemOf(root: string): string | undefined {
  const spelled = pathProblem(root.slice('C:\\'.length).replaceAll('\\', '/'))
  if (spelled !== undefined) return spelled
  if (root === layout.containerdRoot) return undefined
  const drive = root.slice(0, 'C:\\'.length)
  const all = [...taken, ...ofEveryDrive.map((name) => `${drive}${name}`)]
  const other = all.find((path) => within(root, path) || within(path, root))
  return other === undefined ? undefined : `overlaps with ${other}`
}

export const rootRefused = defineRule({
  id: 'containerd-root-refused',
  severity: 'error',
  summary: 'containerd keeps its images in a folder of their own.',
  remedy: 'Use a folder such as D:\\containerd.',
  see: 'https://github.com/containerd/containerd/blob/main/cmd/containerd/server/server.go',
  check: ({ spec: { containerd } }) => {
    const problem = problemOf(containerd.root)
    if (problem === undefined) return []
    return [{ path: ['containerd', 'root'], message: `${containerd.root} ${problem}` }]
  },
})
