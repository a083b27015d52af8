// Points in a run at which tests kill the PowerShell process.
import type { StepKind } from '../../src/model/step.ts'

export interface Kill {
  readonly name: string
  readonly kind: StepKind
  /** What the machine went through before, and what is cut off. */
  readonly when: 'installing' | 'joining' | 'upgrading'
  /** A function of a module here, and what its arguments look like when it is reached. */
  readonly module: 'WinNode.Loop' | 'host'
  readonly at: string
  readonly like: string
  /** The server keeps this address waiting halfway; without one the function itself does. */
  readonly stalls?: string
}

export const kills: readonly Kill[] = [
  {
    name: 'a download',
    kind: 'download',
    when: 'installing',
    module: 'WinNode.Loop',
    at: 'Receive-NodePart',
    like: '*/kubelet.exe *',
    stalls: 'kubelet-program',
  },
  {
    name: 'an archive, between two of its members',
    kind: 'archive',
    when: 'installing',
    module: 'WinNode.Loop',
    at: 'Install-NodeFile',
    like: '*crictl.exe*',
  },
  {
    name: 'a service that has no recovery yet',
    kind: 'service',
    when: 'installing',
    module: 'WinNode.Loop',
    at: 'Write-NodeRecovery',
    like: '*',
  },
  {
    name: 'a derived file that has no name yet',
    kind: 'derivedFile',
    when: 'installing',
    module: 'WinNode.Loop',
    at: 'Move-NodeFile',
    like: '*C:\\etc\\node.json*',
  },
  {
    name: 'a join, with the token on the disk',
    kind: 'kubeadmJoin',
    when: 'joining',
    module: 'host',
    at: 'Assert-HostHealth',
    like: '*kubeadm kubelet-start*',
  },
  {
    name: 'a swap of binaries, with all services stopped',
    kind: 'archive',
    when: 'upgrading',
    module: 'WinNode.Loop',
    at: 'Move-NodeFile',
    like: '*containerd.exe.winnode-new*',
  },
  {
    name: 'a change of a service that runs',
    kind: 'service',
    when: 'upgrading',
    module: 'WinNode.Loop',
    at: 'Write-NodeServiceData',
    like: '*',
  },
]

/** Functions of the module that walk a step, and those through which it changes a machine. */
export const watched = [
  ...['Edit-NodeStep', 'Reset-NodeStep'],
  ...['Save-NodeState', 'Save-NodeDownload', 'Move-NodeFile', 'Clear-NodePath', 'Write-NodeSecret'],
  ...['Initialize-NodeFolder', 'Protect-NodePath', 'Write-NodeRegistryData'],
  ...['Clear-NodeRegistryData', 'Write-NodeService', 'Write-NodeRecovery'],
  ...['Invoke-Native', 'Invoke-NodeCrictl'],
  ...['Open-NodeService', 'Close-NodeService'],
]
