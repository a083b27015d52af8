// Operations on a machine as an administrator runs them: provide files, install, join, boot task, reset.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { credentials, everyKind, type Way } from './every-kind.ts'
import { type Host, type JsonRun, trouble } from './host.ts'
import type { Stage } from './stage.ts'

/** A bootstrap token, by its form. */
export const token = 'abcdef.0123456789abcdef'

/** Copies the files that Join needs to the node. */
export function bring(
  drive: string,
  paths: readonly string[] = credentials.kubeadm,
  text = 'users: []\n',
): void {
  for (const file of paths) {
    const full = path.join(drive, file.slice('C:\\'.length).replaceAll('\\', '/'))
    mkdirSync(path.dirname(full), { recursive: true })
    // What leads to the cluster is the simulated one's.
    const theirs = path.join(`${drive}.provided`, path.basename(full))
    writeFileSync(full, existsSync(theirs) ? readFileSync(theirs) : text)
  }
}

/** Runs until no restart is required, and throws unless that succeeds. */
export async function install(host: Host): Promise<JsonRun> {
  for (let run = await host.run('Install'); ; run = await host.run('Install')) {
    if (run.result.exitCode !== 3010) return succeeded(run)
    await host.restart()
  }
}

export async function joined(host: Host, drive: string): Promise<JsonRun> {
  await install(host)
  bring(drive)
  return succeeded(await host.run('Join', { Token: token }))
}

/** Another program runs kubeadm with its own configuration, as cloudbase-init does; the output. */
export async function kubeadmElsewhere(
  host: Host,
  name = 'node-a',
): Promise<Readonly<Record<string, unknown>>> {
  return host.ps(
    `$paths = 'C:\\theirs.json', 'C:\\theirs.conf'
    $conf = @{
      discovery = @{ file = @{ kubeConfigPath = '/theirs.conf' }; tlsBootstrapToken = $with.token }
      nodeRegistration = @{ name = $with.name }
    }
    Set-Content -LiteralPath $paths[0] -Value (ConvertTo-Json -InputObject $conf -Depth 5)
    Set-Content -LiteralPath $paths[1] -Value (Get-HostKubeconfig -Token '')
    $before = $env:Path
    $env:Path = "C:\\k;$before"
    Push-Location -LiteralPath 'C:\\'
    $answer = Invoke-HostProgram -Name kubeadm -Argument 'join', '--config', $paths[0]
    Pop-Location
    $env:Path = $before
    Remove-Item -LiteralPath $paths
    @{ Code = $answer.Code; Out = $answer.Out -join '; '; Err = $answer.Err -join '; ' }`,
    { token, name },
  )
}

export async function joinOrThrow(host: Host, parameters = {}): Promise<JsonRun> {
  return succeeded(await host.run('Join', parameters))
}

/** Resets everything, until no restart is required. */
export async function reset(host: Host): Promise<JsonRun> {
  const all = { RemoveData: true, RemoveFeature: true }
  for (let run = await host.run('Reset', all); ; run = await host.run('Reset', all)) {
    if (run.result.exitCode !== 3010) return succeeded(run)
    await host.restart()
  }
}

/** What a reset leaves: folders for the memory and the log of winnode itself. */
export const ownFolders =
  /^path C:\\(ProgramData\\winnode|var|var\\log|var\\log\\winnode)(\\(lock|winnode\.log))?$/

/** What a reset leaves that is not winnode's: the bundle, folders that the kubelet makes, what a person replaced, what Windows updated. */
export const stays: readonly RegExp[] = [
  /^path C:\\win-node\\/,
  /^path C:\\var\\log\\(pods|containers): /,
  /^path C:\\etc\\kubernetes\\(kube-proxy|flannel)\.(conf|token): /,
  /^registry .* UBR: /,
  // Calico's DaemonSet: node/windows-packaging/CalicoWindows/node/node-service.ps1 and cni-plugin/pkg/install/install.go.
  /^network (Calico|External): nothing -> /,
  // Antrea's: conf/Install-WindowsCNI.ps1 copies the credentials of its ServiceAccount.
  /^path C:\\var\\run(\\calico(\\nodename)?|\\secrets(\\kubernetes\.io)?)?: nothing -> /,
  /^registry SOFTWARE\\Tigera/,
]

/** The calls of a run, without those that make the folders of its log and its lock. */
export function callsBeside({ calls }: JsonRun): readonly string[] {
  return calls.filter((call) => !/^Set-Acl C:\\(?:ProgramData|var\\log)\\winnode$/.test(call))
}

/** The same run, or an error with the reason. */
export function succeeded(run: JsonRun): JsonRun {
  if (run.result.exitCode !== 0 || run.errors.length > 0) {
    throw new Error([trouble(run.result), ...run.errors].join('; '))
  }
  return run
}

/** Five minutes pass, and the task runs once. */
export async function loop(host: Host): Promise<JsonRun> {
  await host.ps('Start-Sleep -Seconds 300')
  return host.run('Install', { Phase: 'boot' }, 'C:\\ProgramData\\winnode\\bundle')
}

/** Ids of the steps in a state. */
export function idsOf({ result }: JsonRun, state: string): readonly string[] {
  return result.steps.filter((step) => step.state === state).map(({ id }) => id)
}

export const changed = (run: JsonRun): readonly string[] => idsOf(run, 'Changed')

/** An installed machine with all provided files. */
export async function ready(
  { machineAfter }: Stage,
  way: Way = 'kubeadm',
  document = everyKind(undefined, way),
): Promise<string> {
  const drive = await machineAfter(install, document)
  bring(drive, credentials[way])
  return drive
}

/** Names a part of a join. */
export const phase = (name: 'beforeJoin' | 'afterJoin') => ({ Phase: name })

/** What becomes of requests for certificates: approve, wait, deny. */
export const signs = (how: string): string => `Set-HostCluster -Name Signs -Value ${how}`

/** How often kubeadm has run. */
export function joins(drive: string): number {
  const log = readFileSync(path.join(drive, 'var/log/winnode/winnode.log'), 'utf8')
  return log.split('[preflight] Running pre-flight checks').length - 1
}

/** What Test finds. */
export async function what(host: Host): Promise<string> {
  return trouble((await host.run('Test')).result)
}
