// Each step as one line of the bundle's README.
import { registryIdentity, registryValues } from '../matrix/registry-values.ts'
import { podsList } from '../model/layout.ts'
import type { DraftStep } from '../model/plan.ts'
import type { Checksum } from '../model/fetched.ts'
import type { StepKind } from '../model/step.ts'

/** `subject` is shown as code, between the two: names and paths with backslashes stay as they are. */
interface StepSummary {
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
    return ['Write', path, `from ${source} and this machine's ${facts.join(', ')}`]
  },
  download: ({ path, url, checksum }) => ['Download', path, `from ${url} (${checked(checksum)})`],
  archive: ({ url, members, checksum }) => [
    'Extract',
    members.map(({ path }) => path).join(', '),
    `from ${url} (${checked(checksum)})`,
  ],
  registryValue: ({ key, name, value }) => {
    const id = registryIdentity({ path: key, name })
    // A profile may set another value, for another reason.
    const row = registryValues.find((one) => registryIdentity(one) === id && one.value === value)
    return ['Set the registry value', `${key}\\${name}`, row ? `(${row.why})` : '']
  },
  pathEntry: ({ path }) => ['Add', path, "to the machine's PATH"],
  service: ({ name, start, scm }) => [
    'Register the service',
    name,
    `(starts ${when(start)}${scm === 'wrapped' ? ', under nssm' : ''})`,
  ],
  serviceRunning: ({ name, timeout }) => [
    'Start',
    name,
    `and wait up to ${timeout} s until it runs`,
  ],
  serviceStart: ({ name, start }) => ['Set', name, `to start ${when(start)}`],
  firewallRule: ({ protocol, ports, from }) => [
    'Allow inbound',
    `${protocol} ${ports}`,
    `from ${from.length > 0 ? from.join(', ') : 'anywhere'}`,
  ],
  defenderExclusion: ({ of, path }) => [
    `Exclude the ${of}`,
    path,
    "from Defender's real-time scan",
  ],
  pageFile: ({ path, sizeMiB }) => ['Set the page file', path, `to ${sizeMiB} MiB`],
  route: ({ prefix }) => [
    'Restore the route to',
    prefix,
    'that HNS removes when it creates a network',
  ],
  dynamicPorts: ({ ports }) => ['Set the dynamic TCP ports to', ports],
  excludedPorts: ({ protocol, ports }) => ['Exclude from dynamic ports', `${protocol} ${ports}`],
  vmwareTools: ({ path, excludeNics }) => ['Set exclude-nics in', path, `to '${excludeNics}'`],
  systemVolume: ({ drive }) => ['Expand', drive, 'to the size of its disk'],
  powerPlan: ({ guid }) => ['Activate the high performance power plan', guid],
  timeService: ({ servers }) => ['Synchronize the clock with', servers.join(', ')],
  bootSetting: ({ name, value }) => ['Set the boot setting', name, `to ${value}`],
  bootTask: ({ name }) => [
    'Register the task',
    name,
    '(runs the steps below at each start, on failures, and every 30 minutes, from its own copy of this folder)',
  ],
  logRotation: ({ path, maxSizeMiB, maxFiles }) => [
    'Rotate',
    path,
    `at ${maxSizeMiB} MiB and keep ${maxFiles} old files`,
  ],
  hnsNetwork: ({ name, type, timeout, service }) => [
    service === undefined ? 'Create the HNS network' : 'Wait for the HNS network',
    name,
    `(${type}), up to ${timeout} s`,
  ],
  externalNetwork: ({ name, type }) => ['Create the HNS network', name, `(${type}), without pods`],
  remoteAccess: ({ vpnType }) => ['Install Remote Access as', vpnType, 'and start its service'],
  pluginFile: ({ path, eachBoot }) => [
    'Let the network plugin write',
    path,
    eachBoot
      ? '(deleted first if it is older than the last boot; Reset deletes it)'
      : '(Reset deletes it)',
  ],
  pluginNetwork: ({ network }) => [
    'Let the network plugin create the HNS network',
    network,
    '(Reset deletes it)',
  ],
  openVSwitch: ({ network }) => [
    'Remove what the last boot has left of',
    network,
    'and of Open vSwitch, before the kubelet starts (Reset removes all of it)',
  ],
  addressReservation: ({ network }) => ["Reserve kube-proxy's source VIP on", network],
  hostEndpoint: ({ network, offset }) => [
    "Keep the host's endpoint on",
    network,
    `at address ${offset} of the node's pod CIDR`,
  ],
  imagePull: ({ image }) => ['Pull', image],
  kubeadmJoin: ({ kubeadm }) => [
    'Join the cluster with',
    kubeadm,
    'and delete its configuration and the token afterwards',
  ],
  bootstrapJoin: ({ kubeconfig }) => [
    'Start the kubelet, which writes',
    kubeconfig,
    'with the bootstrap kubeconfig, and wait for its certificate',
  ],
}

export function summaryOf<K extends StepKind>(step: DraftOf<K>): StepSummary {
  const say: (step: DraftOf<K>) => Sentence = sentences[step.kind]
  const [verb, subject, rest = ''] = say(step)
  return { verb, subject, rest }
}

function checked(checksum: Checksum): string {
  return checksum.kind === 'pinned' ? 'checksum pinned' : 'checksum from the publisher'
}

function access(sddl: string | undefined): string {
  if (sddl === undefined) return ''
  if (sddl === podsList) return 'for SYSTEM and Administrators; Users may read and create files'
  return 'for SYSTEM and Administrators only'
}

function when(start: string): string {
  return start === 'auto' ? 'with Windows' : 'on demand'
}
