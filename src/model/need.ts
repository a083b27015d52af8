// What a change requires on a node that is already installed.

/** The smallest first; each includes those before it. */
export const needs = ['nothing', 'apply', 'install', 'restart', 'join', 'machine'] as const
export type Need = (typeof needs)[number]

/** The text after "needs". */
export const needWords: Readonly<Record<Need, string>> = {
  nothing: 'no action on the node',
  apply: 'kubectl apply; no action on the node',
  install: 'Install-WinNode.ps1; on joined nodes also Join-WinNode.ps1',
  restart: 'Install-WinNode.ps1 and a restart',
  join: 'Reset-WinNode.ps1, Install-WinNode.ps1, and Join-WinNode.ps1 with a token',
  machine: 'a new image or machine',
}

/** The largest of several needs. */
export function largestNeed(some: readonly Need[]): Need {
  return needs[Math.max(0, ...some.map((need) => needs.indexOf(need)))] ?? 'nothing'
}
