// Need: what a change requires on a node that is already installed.

/** The least first; each includes those before it. */
export const needs = ['nothing', 'apply', 'install', 'restart', 'join', 'machine'] as const
export type Need = (typeof needs)[number]

/** In words, to follow "needs". */
export const needWords: Readonly<Record<Need, string>> = {
  nothing: 'nothing on the node',
  apply: 'kubectl apply, and nothing on the node',
  install: 'Install-WinNode.ps1; on joined nodes also Join-WinNode.ps1',
  restart: 'Install-WinNode.ps1 and a restart',
  join: 'a new join (Reset, Install and Join)',
  machine: 'a new image or machine',
}

/** The most that any of them asks for. */
export function mostOf(some: readonly Need[]): Need {
  return needs[Math.max(0, ...some.map((need) => needs.indexOf(need)))] ?? 'nothing'
}
