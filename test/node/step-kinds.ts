// Every kind of step, and what of Windows its tests replace; complete, or it does not compile.
import type { StepKind } from '../../src/model/step.ts'

/** What the simulated host stands in for; an empty text where everything is real. */
export const standIns: Readonly<Record<StepKind, string>> = {
  addressReservation: 'host-local.exe',
  archive: 'tar.exe',
  bootSetting: 'bcdedit.exe, the registry',
  bootTask: 'the task scheduler',
  bootstrapJoin: 'the kubelet',
  defenderExclusion: 'the cmdlets of Defender',
  derivedFile: 'network cmdlets that the facts come from',
  directory: 'access lists',
  download: '',
  dynamicPorts: 'netsh.exe',
  excludedPorts: 'netsh.exe',
  file: '',
  firewallRule: 'the cmdlets of the firewall',
  hnsNetwork: 'the cmdlets of HNS, flanneld',
  hostEndpoint: '',
  imagePull: 'crictl.exe',
  kubeadmJoin: 'kubeadm.exe, access lists, the kubelet',
  logRotation: '',
  pageFile: 'the registry',
  pathEntry: 'the registry',
  powerPlan: 'powercfg.exe, the registry',
  registryValue: 'the registry',
  route: 'network cmdlets',
  service: 'the service manager, sc.exe, the registry',
  serviceRunning: 'the service manager, what the programs do',
  serviceStart: 'the service manager',
  timeService: 'the service manager, the registry',
  windowsFeature: 'the cmdlets of Server Manager',
}
