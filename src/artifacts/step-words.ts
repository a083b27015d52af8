// Each step in words, for a person who must know what will happen to the machine.
import type { DraftStep } from '../model/plan.ts'
import type { Checksum, StepKind } from '../model/step.ts'

type DraftOf<K extends StepKind> = Extract<DraftStep, { readonly kind: K }>
type Words = { readonly [K in StepKind]: (step: DraftOf<K>) => string }

const words: Words = {
  windowsFeature: ({ name }) => `Install the Windows feature ${name}`,
  directory: ({ path, sddl }) =>
    `Create ${path}${sddl === undefined ? '' : ', with a protected access list'}`,
  file: ({ path, source }) => `Write ${path} from ${source}`,
  derivedFile: ({ path, source, derive }) =>
    `Write ${path} from ${source}, with ${derive.flatMap(({ value }) => value.flatMap(({ fact }) => fact ?? [])).join(', ')} of this machine`,
  download: ({ path, url, checksum }) => `Download ${url} to ${path}; ${checked(checksum)}`,
  archive: ({ url, members, checksum }) =>
    `Download ${url} and take out ${members.map(({ path }) => path).join(', ')}; ${checked(checksum)}`,
  registryValue: ({ key, name }) => `Set the registry value ${name} of ${key}`,
  pathEntry: ({ path }) => `Add ${path} to the machine's PATH`,
  service: ({ name, start, scm }) =>
    `Register the service ${name}, ${start === 'auto' ? 'started with Windows' : 'started on demand'}${scm === 'wrapped' ? ', under nssm' : ''}`,
  serviceRunning: ({ name, timeout }) => `Start ${name} and wait up to ${timeout} s until it runs`,
  serviceStart: ({ name, start }) =>
    `Let ${name} start ${start === 'auto' ? 'with Windows' : 'on demand'}`,
  firewallRule: ({ protocol, ports, from }) =>
    `Allow ${protocol} ${ports} in${from.length > 0 ? ` from ${from.join(', ')}` : ''}`,
  defenderExclusion: ({ process }) => `Exclude ${process} from Defender's real-time scan`,
  pageFile: ({ path, sizeMiB }) => `Fix the page file ${path} at ${sizeMiB} MiB`,
  powerPlan: () => 'Use the power plan High performance',
  timeService: ({ servers }) => `Take the time from ${servers.join(', ')}`,
  bootSetting: ({ name, value }) => `Set the boot setting ${name} to ${value}`,
  bootTask: ({ name, path }) =>
    `Register the task ${name}, which runs the boot steps at each start from ${path}`,
  logRotation: ({ path, maxSizeMiB, maxFiles }) =>
    `Rotate ${path} at ${maxSizeMiB} MiB and keep ${maxFiles} old files`,
  hnsNetwork: ({ name, type, timeout }) =>
    `Wait up to ${timeout} s for the HNS network ${name} of type ${type}`,
  addressReservation: ({ network }) => `Reserve the source VIP of kube-proxy on ${network}`,
  hostEndpoint: ({ network, offset }) =>
    `Keep address ${offset} of the pod subnet for the host's endpoint on ${network}`,
  imagePull: ({ image }) => `Pull ${image}`,
  kubeadmJoin: () => 'Join the cluster with kubeadm; its configuration and token are deleted after',
  bootstrapJoin: ({ timeout }) =>
    `Let the kubelet join with the bootstrap kubeconfig, and wait up to ${timeout} s`,
}

export function wordsFor<K extends StepKind>(step: DraftOf<K>): string {
  const say: (step: DraftOf<K>) => string = words[step.kind]
  return say(step)
}

function checked(checksum: Checksum): string {
  if (checksum.kind === 'pinned') return 'its digest is pinned'
  return `its digest is read from ${checksum.url}`
}
