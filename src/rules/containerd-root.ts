// `containerd.root` must be a folder that Windows and winnode use for nothing else.
import { usedPaths } from '../cni/index.ts'
import { pathProblem } from '../model/bundle-path.ts'
import { layout } from '../model/layout.ts'
import { defineRule } from '../model/rule.ts'

/**
 * Folders of Windows and of other winnode steps; `containerd.root` must not contain or be inside one of them. Folders that
 * no path of a profile may name are refused in `node-path.ts`.
 */
const usedFolders: readonly string[] = [
  'C:\\Users',
  'C:\\Program Files',
  'C:\\Program Files (x86)',
  'C:\\PerfLogs',
  ...usedPaths.filter((path) => path !== layout.containerdRoot),
]

/** Folders at the root of any drive that Windows or its installers create, protect or empty. */
const systemFolders: readonly string[] = ['$WinREAgent', 'Config.Msi', 'EFI']

const within = (inner: string, outer: string): boolean =>
  `${inner}\\`.toLowerCase().startsWith(`${outer}\\`.toLowerCase())

function problemOf(root: string): string | undefined {
  const spelled = pathProblem(root.slice('C:\\'.length).replaceAll('\\', '/'))
  if (spelled !== undefined) return spelled
  if (root === layout.containerdRoot) return undefined
  const drive = root.slice(0, 'C:\\'.length)
  const all = [...usedFolders, ...systemFolders.map((name) => `${drive}${name}`)]
  const other = all.find((path) => within(root, path) || within(path, root))
  return other === undefined ? undefined : `overlaps ${other}`
}

export const rootRefused = defineRule({
  id: 'containerd-root-refused',
  severity: 'error',
  summary: 'containerd.root is a folder that nothing else uses.',
  remedy: 'Use a folder such as D:\\containerd.',
  see: 'https://github.com/containerd/containerd/blob/main/cmd/containerd/server/server.go',
  check: ({ spec: { containerd } }) => {
    const problem = problemOf(containerd.root)
    if (problem === undefined) return []
    return [{ path: ['containerd', 'root'], message: `${containerd.root} ${problem}` }]
  },
})
