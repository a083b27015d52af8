// The scripts of the node: the same bytes in every bundle, so that they can be reviewed and signed once.
import type { Artifact } from '../model/artifact.ts'

const scripts: Readonly<Record<string, string>> = {
  'WinNode.Loop.psm1':
    'Checks whether a node that has joined is unchanged and healthy; changes nothing.',
  'WinNode.psm1': 'The functions that test, set and restore what node.json describes.',
  'WinNode.Report.psm1': 'The functions that write a node report.',
  'Invoke-WinNode.ps1': 'Runs one command of the modules; the scripts below call it.',
  'Install-WinNode.ps1': 'Configures the machine as node.json describes, before the join.',
  'Join-WinNode.ps1': 'Joins the machine to its cluster.',
  'Test-WinNode.ps1':
    'Tests whether the machine matches node.json and is healthy; changes nothing.',
  'Suspend-WinNode.ps1': 'Suspends the reconcile loop for a time.',
  'Reset-WinNode.ps1': 'Removes what node.json installed, and restores the previous state.',
  'Export-WinNodeReport.ps1': 'Writes a node report for diagnosis, without secrets.',
}

export const nodeScripts: Artifact = () =>
  Object.entries(scripts).map(([name, summary]) => ({
    id: name,
    path: name,
    summary,
    body: { kind: 'static', source: `node/${name}` },
  }))
