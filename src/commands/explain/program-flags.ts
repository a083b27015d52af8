// Flags of the kubelet, kube-proxy, containerd and the services of network plugins, and variables of services.
import { everyCni } from '../../cni/index.ts'
import { flagsOf } from '../../components/flags.ts'
import {
  flagIn,
  flagNames,
  isFlagOf,
  minorsWithFlags,
  kubePrograms,
  type KubeProgram,
} from '../../matrix/flags.ts'
import { historyOf, removedIn, spanText } from '../../matrix/history.ts'
import type { Flag } from '../../model/config-rows.ts'
import type { Explanation } from '../../present/explanation.ts'
import { nearest } from '../../text/nearest.ts'
import { factsOf, unique, type Topic } from './topic.ts'

const services = [
  ...kubePrograms,
  'containerd',
  ...everyCni.flatMap(({ flags = {} }) => Object.keys(flags)),
]

const withoutDashes = (flag: string) => flag.replace(/^-+/, '')

/** Those that winnode writes, by service. */
const written = services.flatMap((service) =>
  Object.entries(flagsOf(service) ?? {}).map(([spelled, setting]) => ({
    service,
    spelled,
    name: withoutDashes(spelled),
    setting,
  })),
)

/** Whether a word such as `--node-ip` is a flag of one of these programs. */
export function isProgramFlag(word: string): boolean {
  const name = word.replace(/^--?(?=[^-])/, '')
  if (name === word) return false
  return [name, name.toLowerCase()].some((spelled) => programsWith(spelled).length > 0)
}

/** Whether a word such as `--hostname-overide` is nearly one, and no flag of winnode. */
export function isNearProgramFlag(word: string, own: readonly string[]): boolean {
  const name = /^--([a-z][\w-]*)$/.exec(word.toLowerCase())?.[1]
  if (name === undefined || own.includes(name) || nearest(name, own) !== undefined) return false
  return nearest(name, kubePrograms.flatMap(flagNames)) !== undefined
}

const reference = (program: string) =>
  `https://kubernetes.io/docs/reference/command-line-tools-reference/${program}/`

/** Names have no dashes: a shell completes the flags of winnode where a word begins with one. */
export const flagTopic: Topic = {
  subjects: () => {
    const registered = kubePrograms.flatMap(flagNames)
    return unique([...registered, ...written.map(({ name }) => name)]).map((name) => ({
      name,
      note: `flag of ${programsWith(name).join(' and ')}`,
    }))
  },
  explain: (typed, { version }) => {
    const name = withoutDashes(typed)
    const known = kubePrograms.flatMap((program) => registeredFlag(program, name, version))
    const others = written
      .filter((one) => one.name === name && !isRegistered(one))
      .map(({ service, spelled, setting }) => ({
        kind: `${service} service: ${spelled.startsWith('-') ? 'flag' : 'environment variable'}`,
        name: spelled,
        what: setting.why,
        facts: factsOf({ 'set by': setting.field }),
        see: [setting.see],
      }))
    return [...known, ...others]
  },
}

/** A flag of the service may be of a program that starts another: kube-log-runner. */
function isRegistered({ service, spelled }: (typeof written)[number]): boolean {
  return kubePrograms.some(
    (program) => program === service && isFlagOf(program, spelled.replace(/^--/, '')),
  )
}

function registeredFlag(
  program: KubeProgram,
  name: string,
  version: string,
): readonly Explanation[] {
  const minors = minorsWithFlags(program)
  const history = historyOf((minor) => flagIn(program, name, minor), minors)
  if (history.length === 0) return []
  const ours = written.find((one) => one.service === program && one.spelled === `--${name}`)
  return [
    {
      kind: `${program} flag`,
      name: `--${name}`,
      what: `A flag of ${program}’s Windows build.`,
      facts: [
        ...factsOf({
          [`in ${version}`]: minors.includes(version)
            ? flagText(flagIn(program, name, version))
            : 'unknown: no build of this minor was asked',
        }),
        ...history.map((span) => ({ name: spanText(span), text: flagText(span.row) })),
        ...factsOf({
          'removed in': removedIn(history),
          winnode: ours ? 'writes it' : 'does not write it',
          why: ours?.setting.why,
          'set by': ours?.setting.field,
        }),
      ],
      see: [ours?.setting.see ?? reference(program)],
    },
  ]
}

function flagText(flag: Flag | undefined): string {
  if (!flag) return 'not available'
  const { type, default: value = '', deprecated, hidden } = flag
  return [
    type,
    value === '' ? 'no default' : `default ${value}`,
    ...(deprecated === 'config-file'
      ? ['deprecated: set it in the configuration file']
      : deprecated === undefined
        ? []
        : [`deprecated: ${deprecated}`]),
    ...(hidden ? ['hidden'] : []),
  ].join(', ')
}

function programsWith(name: string): readonly string[] {
  return unique([
    ...kubePrograms.filter((program) => isFlagOf(program, name)),
    ...written.filter((one) => one.name === name).map(({ service }) => service),
  ])
}
