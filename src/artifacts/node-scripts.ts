// The scripts of the node: the same bytes in every bundle, so that they are read and signed once.
import { defineArtifact } from '../model/artifact.ts'

const scripts: Readonly<Record<string, string>> = {
  'WinNode.psm1': 'The module that tests, sets and tests again.',
  'Install-WinNode.ps1':
    'Brings the machine to the state of node.json, as far as no cluster is needed.',
  'Join-WinNode.ps1': 'Makes the machine a node of its cluster.',
  'Test-WinNode.ps1':
    'Says whether the machine still is what node.json describes, and works; changes nothing.',
  'Suspend-WinNode.ps1': 'Keeps the loop from doing anything while a person works.',
  'Reset-WinNode.ps1': 'Takes away what node.json put there, and restores what was before.',
  'Export-WinNodeReport.ps1': 'Collects what a diagnosis needs, without secrets.',
}

export const nodeScripts = defineArtifact({
  id: 'node-scripts',
  plan: () =>
    Object.entries(scripts).map(([name, summary]) => ({
      id: name,
      path: name,
      summary,
      body: { kind: 'static', source: `node/${name}` },
    })),
})
