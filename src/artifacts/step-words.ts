// Each step in words, for a person who must know what will happen to the machine.
import { podsList } from '../model/layout.ts'
import type { DraftStep } from '../model/plan.ts'
import type { Checksum } from '../model/fetched.ts'
import type { StepKind } from '../model/step.ts'

/** `subject` is shown as code, between the two: names and paths with backslashes stay as they are. */
export interface Words {
  readonly verb: string
  readonly subject: string
  readonly rest: string
}

type DraftOf<K extends StepKind> = Extract<DraftStep, { readonly kind: K }>
type Sentence = readonly [verb: string, subject: string, rest?: string]
type Sentences = { readonly [K in StepKind]: (step: DraftOf<K>) => Sentence }

const sentences: Sentences = {
  windowsFeature: ({ name }) => ['Install the Windows feature', name],
  directory: ({ path, sddl }) => ['Create', path, access(sddl)],
  file: ({ path, source }) => ['Write', path, `from ${source}`],
  derivedFile: ({ path, source, derive }) => {
    const facts = derive.flatMap(({ value }) => value.flatMap(({ fact }) => fact ?? []))
    return ['Write', path, `from ${source}, with ${facts.join(', ')} of this machine`]
  },
  download: ({ path, url, checksum }) => ['Download', path, `from ${url} (${checked(checksum)})`],
  archive: ({ url, members, checksum }) => [
    'Take',
    members.map(({ path }) => path).join(', '),
    `out of ${url} (${checked(checksum)})`,
  ],
  registryValue: ({ key, name }) => ['Set the registry value', `${key}\\${name}`],
  pathEntry: ({ path }) => ['Add', path, "to the machine's PATH"],
  service: ({ name, start, scm }) => [
    'Register the service',
    name,
    `that starts ${when(start)}${scm === 'wrapped' ? ', under nssm' : ''}`,
  ],
  serviceRunning: ({ name, timeout }) => ['Start', name, `and wait up to ${timeout} s for it`],
  serviceStart: ({ name, start }) => ['Let', name, `start ${when(start)}`],
  firewallRule: ({ protocol, ports, from }) => [
    'Let in',
    `${protocol} ${ports}`,
    `from ${from.length > 0 ? from.join(', ') : 'anywhere'}`,
  ],
  defenderExclusion: ({ process }) => ['Exclude', process, "from Defender's real-time scan"],
  pageFile: ({ path, sizeMiB }) => ['Fix the page file', path, `at ${sizeMiB} MiB`],
  route: ({ prefix }) => ['Keep the route to', prefix, 'that the network takes away'],
  powerPlan: ({ guid }) => ['Use the power plan for high performance,', guid],
  timeService: ({ servers }) => ['Take the time from', servers.join(', ')],
  bootSetting: ({ name, value }) => ['Set the boot setting', name, `to ${value}`],
  bootTask: ({ name }) => [
    'Register the task',
    name,
    'that runs the boot steps at each start and every five minutes, from its own copy of this folder',
  ],
  logRotation: ({ path, maxSizeMiB, maxFiles }) => [
    'Rotate',
    path,
    `at ${maxSizeMiB} MiB and keep ${maxFiles} old files`,
  ],
  hnsNetwork: ({ name, type, timeout }) => [
    'Wait for the HNS network',
    name,
    `of type ${type}, up to ${timeout} s`,
  ],
  addressReservation: ({ network }) => ["Reserve kube-proxy's source VIP on", network],
  hostEndpoint: ({ network, offset }) => [
    "Keep the host's endpoint on",
    network,
    `at address ${offset} of the pod subnet`,
  ],
  imagePull: ({ image }) => ['Pull', image],
  kubeadmJoin: ({ kubeadm }) => [
    'Join the cluster with',
    kubeadm,
    'and delete its configuration and token after',
  ],
  bootstrapJoin: ({ kubeconfig }) => [
    'Let the kubelet join and make',
    kubeconfig,
    'with the bootstrap kubeconfig, and wait for its certificate',
  ],
}

export function wordsFor<K extends StepKind>(step: DraftOf<K>): Words {
  const say: (step: DraftOf<K>) => Sentence = sentences[step.kind]
  const [verb, subject, rest = ''] = say(step)
  return { verb, subject, rest }
}

function checked(checksum: Checksum): string {
  return checksum.kind === 'pinned' ? 'digest pinned' : 'its publisher says the digest'
}

function access(sddl: string | undefined): string {
  if (sddl === undefined) return ''
  if (sddl === podsList) return 'for SYSTEM and Administrators; Users may read and create there'
  return 'for SYSTEM and Administrators only'
}

function when(start: string): string {
  return start === 'auto' ? 'with Windows' : 'on demand'
}
