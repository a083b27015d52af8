// Schemas of the tables in src/matrix/tables: the build validates each file, and row types are inferred.
import * as v from 'valibot'
import { configVersions, windowsIds, type WindowsId } from './choices.ts'
import type { Path } from './path.ts'

const text = v.pipe(v.string(), v.minLength(1))
const texts = v.array(text)
const day = v.pipe(v.string(), v.isoDate())
const release = v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/, 'not MAJOR.MINOR.PATCH'))
const line = v.pipe(v.string(), v.regex(/^\d+\.\d+$/, 'not MAJOR.MINOR'))
const link = v.pipe(
  v.string(),
  v.url('not a URL; write the page where the row was read'),
  v.regex(/^https?:\/\//, 'not an https or http URL; write the page where the row was read'),
)
const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))

const range = described(
  text,
  'node-semver with partial bounds, prereleases included: <1.6.23 || >=1.7 <1.7.6.',
)
const fixedIn = described(texts, 'Releases with the fix; empty if none is known.')
const note = described(text, 'What in the row is inferred instead of read.')
const mode = v.picklist(['l2bridge', 'overlay'])
const sourced = {
  see: described(link, 'Where the row was read: a page that a person can open.'),
  checked: described(day, 'The day the row was last compared with its source.'),
}
export type Sourced = Readonly<v.InferOutput<v.StrictObjectSchema<typeof sourced, undefined>>>

/** Applies to versions in `range`. */
export interface Ranged {
  readonly range: string
}

const advisory = v.strictObject({
  id: text,
  component: described(text, 'The program, such as kubelet or containerd.'),
  severity: described(
    v.picklist(['critical', 'high', 'medium', 'low', 'unrated']),
    'unrated: release notes name it and say no more; every earlier version of the line counts as affected.',
  ),
  applies: described(
    v.picklist(['yes', 'conditional', 'unverified']),
    'Whether it concerns a Windows node; unverified where no statement was found.',
  ),
  condition: v.exactOptional(described(text, 'Where it applies under a condition only.')),
  affected: range,
  fixedIn,
  summary: text,
  mitigation: v.exactOptional(described(text, 'What helps where an update does not.')),
  ...sourced,
})
export type Advisory = Readonly<v.InferOutput<typeof advisory>>

const defect = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][\da-z]*(?:-[\da-z]+)*$/, 'not words with dashes')),
  component: v.picklist(['kubelet', 'kube-proxy', 'containerd']),
  range,
  severity: v.picklist(['error', 'warning', 'info']),
  effect: text,
  fixedIn,
  only: v.exactOptional(
    described(
      v.picklist(['dual-stack', 'hyper-v', 'host-process', 'sandbox-tag-and-digest']),
      'Shows only where this holds too.',
    ),
  ),
  builds: v.exactOptional(described(v.array(v.number()), 'Only on these Windows builds.')),
  mode: v.exactOptional(described(mode, 'Only with this mode of the HNS network.')),
  ...sourced,
})
export type Defect = Readonly<v.InferOutput<typeof defect>>

const kubernetesMinor = v.strictObject({
  minor: described(line, 'Such as 1.37.'),
  released: day,
  maintenance: day,
  endOfLife: day,
  newestPatch: described(release, 'The highest patch named in any source: a lower bound.'),
  containerd: described(
    text,
    'Range of the containerd versions that its project recommends for it; open to lines that came later.',
  ),
  sandboxTag: described(text, 'Tag of the sandbox image that its kubeadm expects.'),
  crictl: described(text, 'The newest crictl of this minor, or of the nearest older one.'),
  ...sourced,
  note: v.exactOptional(note),
})
export type KubernetesMinor = Readonly<v.InferOutput<typeof kubernetesMinor>>

const containerdLine = v.strictObject({
  line: described(line, 'Such as 2.3.'),
  released: day,
  endOfLife: day,
  status: v.picklist(['lts', 'lts-limited', 'active', 'end-of-life']),
  newestPatch: release,
  maxConfigVersion: v.picklist(configVersions),
  afterLts: v.exactOptional(
    described(line, 'The LTS line before this one, from which a direct upgrade is supported.'),
  ),
  ...sourced,
  note: v.exactOptional(note),
})
export type ContainerdLine = Readonly<v.InferOutput<typeof containerdLine>>

const sinceRevision = v.strictObject({
  revision: v.number(),
  update: described(text, 'The Windows update that added it.'),
  see: link,
})
const windowsRelease = v.strictObject({
  name: text,
  channel: v.picklist(['LTSC', 'SAC', 'AC']),
  build: v.number(),
  released: day,
  mainstreamEnd: day,
  extendedEnd: day,
  kubernetes: described(
    v.array(
      v.strictObject({
        range,
        status: v.picklist(['supported', 'unlisted', 'unsupported']),
        why: v.exactOptional(text),
      }),
    ),
    'Kubernetes support, by kubelet version; the first row in range counts.',
  ),
  imageTag: v.exactOptional(
    described(text, 'Suffix of its base images, such as ltsc2022; absent if none is published.'),
  ),
  overlay: v.exactOptional(
    described(sinceRevision, 'The first revision with a working overlay network, if not all.'),
  ),
  dsr: v.exactOptional(
    described(sinceRevision, 'The first revision with direct server return, if not all.'),
  ),
  partialAffinity: v.exactOptional(
    described(
      v.strictObject({ why: text, see: link }),
      'What it lacks for session affinity of Services; absent if nothing.',
    ),
  ),
  noHealthCheckVip: v.exactOptional(
    described(
      v.strictObject({ why: text, see: link }),
      'Why kube-proxy may not forward health checks of load balancers; absent if it may.',
    ),
  ),
  knownBadRevisions: v.array(
    v.strictObject({
      from: v.number(),
      below: v.number(),
      effect: text,
      fix: text,
      see: link,
      mode: v.exactOptional(
        described(mode, 'Shows for certain with this mode of the HNS network; absent: with every.'),
      ),
      reported: v.exactOptional(
        described(
          v.literal(true),
          'Only users report it: a warning, with this mode or network.external alone.',
        ),
      ),
    }),
  ),
  ...sourced,
  note: v.exactOptional(note),
})
export type WindowsRelease = Readonly<v.InferOutput<typeof windowsRelease>> & {
  readonly id: WindowsId
}

const registryValue = v.strictObject({
  builds: v.exactOptional(described(v.array(v.number()), 'Only on these Windows builds.')),
  path: described(text, 'The key, below HKLM.'),
  name: text,
  value: described(v.number(), 'A DWord.'),
  why: described(text, 'What the value does.'),
  ...sourced,
  note: v.exactOptional(note),
})

/** The result of a measurement on a real Windows Server. */
export type Measured = boolean | number | string

const windowsAssumption = v.strictObject({
  id: text,
  what: described(text, 'What is assumed or measured, as the label of a row.'),
  assumed: described(v.union([v.boolean(), v.number(), text]), 'On the simulated host.'),
  words: v.exactOptional(described(texts, 'All words that can be measured; absent for others.')),
  compare: v.exactOptional(
    described(v.literal('at most'), 'A number that is measured may be smaller.'),
  ),
  mode: v.exactOptional(described(mode, 'Only with this mode of the HNS network.')),
  cluster: v.exactOptional(
    described(v.literal(true), 'Only measured with a real API server: a stand-in starts no pods.'),
  ),
  host: v.exactOptional(
    described(text, 'Its place in the simulated host; absent where it does not simulate this.'),
  ),
  changes: described(text, 'What a different measurement changes in winnode.'),
  ...sourced,
  note: v.exactOptional(note),
})
export type WindowsAssumption = Readonly<v.InferOutput<typeof windowsAssumption>>

const podField = v.strictObject({
  id: described(text, 'The id of its rule.'),
  fields: described(
    texts,
    'Below the spec of a pod; containers[] are its containers and init containers.',
  ),
  counts: described(
    v.picklist(['set', 'true', 'filled']),
    'What the API server takes for set: any value but null; true only; a list with an item.',
  ),
  refused: described(range, 'API servers that reject it in a pod with os.name: windows.'),
  effect: described(text, 'Why the field has no effect on Windows, as a clause.'),
  rejected: v.exactOptional(
    v.strictObject({
      kubelets: described(range, 'Kubelets on Windows that reject a pod with the field.'),
      reason: described(text, 'The reason in the status of the pod.'),
      see: link,
    }),
  ),
  remedy: text,
  ...sourced,
  note: v.exactOptional(note),
})
export type PodField = Readonly<v.InferOutput<typeof podField>>

const sandboxTag = v.strictObject({
  tag: text,
  builds: described(
    v.array(v.number()),
    'Windows builds with a manifest in the image index, oldest first.',
  ),
  see: v.exactOptional(link),
})
export type SandboxTag = Readonly<v.InferOutput<typeof sandboxTag>>

const sandboxRepository = v.strictObject({
  registry: text,
  repository: text,
  signed: described(v.boolean(), 'Whether its Windows program has an Authenticode signature.'),
  tags: v.array(sandboxTag),
  ...sourced,
  note: v.exactOptional(note),
})
export type SandboxRepository = Readonly<v.InferOutput<typeof sandboxRepository>>

const smokeImage = v.strictObject({
  kubernetes: described(text, 'The minor whose e2e tests use the tag.'),
  tag: text,
  builds: described(v.array(v.number()), 'Windows builds that the image is built for.'),
  ...sourced,
  seeBuilds: described(link, 'The source of the builds.'),
})

const toolRelease = v.strictObject({
  version: described(text, 'The release that a profile gets.'),
  newest: v.exactOptional(
    described(text, 'The newest that a source names, if a profile cannot get it.'),
  ),
  ...sourced,
  note: v.exactOptional(text),
})
export type ToolRelease = Readonly<v.InferOutput<typeof toolRelease>>

const checksumShape = described(
  v.picklist(['bare', 'named']),
  'bare: one checksum and nothing else; named: lines of checksum and file name.',
)

const artifactSource = v.strictObject({
  id: text,
  summary: text,
  field: v.exactOptional(
    described(text, 'The field of a profile with its version; absent if winnode fixes that.'),
  ),
  base: described(text, 'The base address it is below, which a profile can replace by a mirror.'),
  path: described(text, 'Below the base; {version} is the version without a leading v.'),
  copy: v.exactOptional(
    described(link, 'A copy with the same bytes elsewhere, only of a file with a known checksum.'),
  ),
  checksum: v.exactOptional(
    described(
      v.strictObject({ suffix: text, shape: checksumShape }),
      'The publisher’s file with it, beside the file: the path with this suffix.',
    ),
  ),
  digests: v.exactOptional(
    described(
      v.array(
        v.strictObject({
          version: text,
          sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
          see: link,
        }),
      ),
      'Of versions that another project pins: they go before the publisher’s file.',
    ),
  ),
  licence: described(text, 'An SPDX identifier, or a LicenseRef.'),
  licenceSee: described(link, 'The text of the licence.'),
  purl: v.exactOptional(
    described(text, 'The package URL of the source code, with {version} as in the path.'),
  ),
  ...sourced,
  note: v.exactOptional(text),
})
export type ArtifactSource = Readonly<v.InferOutput<typeof artifactSource>>

const evictionSignal = v.strictObject({
  signal: text,
  acts: described(
    v.boolean(),
    'Whether a kubelet on Windows acts on it; on memory some only subtract it, as a trait says.',
  ),
  why: v.exactOptional(text),
  see: v.exactOptional(link),
})
export type EvictionSignal = Readonly<v.InferOutput<typeof evictionSignal>>

const runtimeRequirement = v.strictObject({
  id: text,
  range,
  containerd: range,
  severity: v.picklist(['error', 'warning']),
  why: text,
  ...sourced,
})
export type RuntimeRequirement = Readonly<v.InferOutput<typeof runtimeRequirement>>

const bounds = { maxNewer: v.number(), maxOlder: v.number() }
const skewRule = v.strictObject({
  id: text,
  of: v.picklist(['kubelet', 'kube-proxy']),
  to: v.picklist(['kube-apiserver', 'kubeadm', 'kubelet']),
  ...bounds,
  except: v.exactOptional(
    described(v.strictObject({ range, ...bounds }), 'Other bounds for versions of `of` in range.'),
  ),
  ...sourced,
  note: v.exactOptional(text),
})
export type SkewRule = Readonly<v.InferOutput<typeof skewRule>>

const trait = v.strictObject({
  of: v.picklist([
    'kube-apiserver',
    'kubelet',
    'kube-proxy',
    'kubeadm',
    'containerd',
    'kubelet-csr-approver',
  ]),
  range,
  summary: text,
  ...sourced,
})
export type Trait = Readonly<v.InferOutput<typeof trait>>

/** Behaviours of a program that changed in some version; code checks them with `facts.has`. */
const traitIds = [
  'apiserver-admission-policies',
  'apiserver-any-variable-name',
  'csr-approver-leaves-requests',
  'kubelet-endpoint-in-config',
  'kubelet-resolv-conf-host',
  'kubelet-config-dir',
  'kubelet-drop-ins-merge',
  'kubelet-protects-container-logs',
  'kubelet-protects-pod-logs',
  'kubelet-credential-provider-v1',
  'kubelet-credential-provider-exe',
  'kubelet-cgroups-error',
  'kubelet-memory-eviction',
  'kubelet-graceful-shutdown',
  'kubelet-graceful-shutdown-default',
  'kubelet-unlimited-events',
  'log-runner-rotates',
  'kubelet-host-process',
  'kubelet-all-processor-groups',
  'kubelet-log-query-exploitable',
  'proxy-blank-mode-kernelspace',
  'proxy-dsr-needs-gate',
  'proxy-gates-locked',
  'kubeadm-v1beta4',
  'kubeadm-reads-healthz-port',
  'containerd-reads-ipv6-names',
  'containerd-cni-results-1',
  'containerd-registry-folder',
  'containerd-stable-abi',
  'containerd-newest-build-first',
  'containerd-handler-annotations',
  'containerd-config-v3',
  'containerd-bin-dirs',
  'containerd-cpu-affinity',
  'containerd-system-roots',
  'containerd-strict-colons',
  'containerd-scrub-logs',
  'containerd-imports-agent-image',
] as const
export type TraitId = (typeof traitIds)[number]

/** A table with at least one row, so that a nearest row always exists. */
const ordered = <Row extends v.GenericSchema>(row: Row) => v.tupleWithRest([row], row)

function table<Name extends string, Entries extends v.ObjectEntries>(name: Name, entries: Entries) {
  return v.strictObject({ $schema: v.literal(`../schemas/${name}.json`), ...entries })
}

const bound = described(v.union([v.number(), text]), 'A number, or a duration such as 3s.')
export type Bound = v.InferOutput<typeof bound>

const form = described(
  v.picklist([
    'address and port',
    'CIDR',
    'CIDR or keyword',
    'CIDR or primary',
    'container log size',
    'CPU set',
    'endpoint of traces',
    'eviction threshold',
    'grace period',
    'IP address',
    'image pattern',
    'kind of memory',
    'memory reserved once',
    'minimum reclaim',
    'module of logs',
    'normalized image pattern',
    'number',
    'pod log folder',
    'port range',
    'positive quantity',
    'previous minor',
    'reserved quantity',
    'share of memory',
  ]),
  'The format of a string; src/rules/settings/forms.ts has the functions.',
)
export type FormName = v.InferOutput<typeof form>

const value = v.union([v.string(), v.boolean(), v.number(), v.array(v.string())])

const condition = v.strictObject({
  gate: v.exactOptional(text),
  on: v.exactOptional(described(v.boolean(), 'Whether the gate is on.')),
  dropIns: v.exactOptional(described(v.literal(true), 'The profile names a drop-in folder.')),
  path: v.exactOptional(text),
  is: v.exactOptional(value),
  written: v.exactOptional(
    described(v.literal(true), 'The setting is written, and not only its default.'),
  ),
  below: v.exactOptional(v.number()),
  has: v.exactOptional(described(v.array(text), 'The list at `path` has one of these.')),
  hasOther: v.exactOptional(described(text, 'The list at `path` has something else than this.')),
})
export type Condition = Readonly<v.InferOutput<typeof condition>>

function demandSchema<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject({
    path: described(
      text,
      'Dotted, as in the tables of fields; [] is each item of a list, {} each value of a map, {key} each of its keys.',
    ),
    range: v.exactOptional(
      described(text, 'Versions of the program in which it holds; absent: in all.'),
    ),
    ...entries,
    when: v.exactOptional(described(condition, 'All of its properties must hold.')),
    late: v.exactOptional(described(text, 'Why the program accepts it but exits later.')),
    note: v.exactOptional(text),
  })
}

const constraint = v.union([
  demandSchema({
    least: v.exactOptional(bound),
    most: v.exactOptional(bound),
    above: v.exactOptional(bound),
    or: v.exactOptional(bound),
  }),
  demandSchema({ oneOf: v.array(value) }),
  demandSchema({ form, ignored: v.exactOptional(text) }),
  demandSchema({
    gate: described(text, 'The gate is on, unless the setting is empty or `unless`.'),
    unless: v.exactOptional(text),
  }),
  demandSchema({ below: text }),
  demandSchema({ upTo: text }),
  demandSchema({ beyond: text }),
  demandSchema({ excludes: v.array(text) }),
  demandSchema({
    needs: described(text, 'Another setting is given too; with `as` it has this value.'),
    as: v.exactOptional(v.union([v.string(), v.boolean()])),
  }),
  demandSchema({
    keysIn: described(
      text,
      'Each key of the map is in that map too, unless its value turns it off.',
    ),
  }),
  demandSchema({
    unique: described(
      v.union([v.literal(true), v.array(text)]),
      'No item stands twice; of a list of words, none of these.',
    ),
  }),
  demandSchema({ alone: text }),
  demandSchema({ apart: v.tuple([text, text]) }),
  demandSchema({ filled: described(text, 'Why it must not be empty.') }),
  demandSchema({ never: described(text, 'Why it must not be set.') }),
  demandSchema({ ignored: described(text, 'Why it is accepted but has no effect.') }),
])

/** What a program requires of one setting before it starts, with the upstream source. */
export type Constraint = Readonly<v.InferOutput<typeof constraint>> & { readonly see: string }
const constraints = v.array(
  v.strictObject({
    see: described(link, 'Where upstream asks for the rows.'),
    rows: v.array(constraint),
  }),
)

const upTo = v.exactOptional(described(v.number(), 'Absent in the last one.'))
const tiers = described(
  v.array(v.strictObject({ upTo, percent: v.number() })),
  'A percentage of the capacity between the previous tier and upTo.',
)
export type Tier = v.InferOutput<typeof tiers>[number]

const pieces = described(
  v.array(
    v.strictObject({ upTo, intercept: v.number(), slope: v.number(), note: v.exactOptional(text) }),
  ),
  'Linear functions of whole GiB, in GiB: the size is truncated, the result rounded half up.',
)
export type Piece = v.InferOutput<typeof pieces>[number]

const amount = v.number()
const simpleRules = [
  v.strictObject({ kind: v.literal('constant'), amount }),
  v.strictObject({ kind: v.literal('percent'), base: amount, percent: v.number() }),
  v.strictObject({ kind: v.literal('perPod'), base: amount, perPod: amount }),
  v.strictObject({
    kind: described(v.literal('tiers'), 'The sum of all tiers.'),
    tiers,
    floor: v.exactOptional(
      described(v.strictObject({ under: amount, amount }), 'Smaller machines get this amount.'),
    ),
    roundEach: v.exactOptional(
      described(v.literal(true), 'Each tier is rounded down before the sum.'),
    ),
    note: v.exactOptional(text),
  }),
  v.strictObject({
    kind: described(v.literal('steps'), 'The first step that is large enough, else above.'),
    steps: v.array(v.strictObject({ upTo: amount, amount })),
    above: amount,
  }),
  v.strictObject({ kind: v.literal('pieces'), pieces }),
  v.strictObject({
    kind: described(v.literal('perCore'), 'Rounded to 10m.'),
    first: described(amount, 'For the first core.'),
    further: described(amount, 'For each other core.'),
    least: amount,
  }),
] as const
const simpleRule = v.variant('kind', simpleRules)
const sizingRule = described(
  v.variant('kind', [
    ...simpleRules,
    v.strictObject({ kind: v.literal('least'), of: v.array(simpleRule) }),
    v.strictObject({
      kind: described(v.literal('scale'), 'Rounded up, because the factor is an approximation.'),
      factor: v.number(),
      of: simpleRule,
    }),
  ]),
  'Computes millicores from the millicores of a machine, or MiB from its MiB.',
)
export type SizingRule = v.InferOutput<typeof sizingRule>

const sizingPart = v.strictObject({
  cpu: v.exactOptional(sizingRule),
  memory: v.exactOptional(sizingRule),
  windowsMemory: v.exactOptional(described(amount, 'MiB added on Windows.')),
  ephemeralStorage: v.exactOptional(described(amount, 'MiB, the same for all sizes.')),
})
export type SizingPart = Readonly<v.InferOutput<typeof sizingPart>>

const thresholds = v.record(text, text)
export type Thresholds = Readonly<v.InferOutput<typeof thresholds>>

const sizingModel = v.strictObject({
  id: text,
  title: text,
  kube: sizingPart,
  system: sizingPart,
  eviction: v.strictObject({
    windows: thresholds,
    windowsBefore131: v.exactOptional(
      described(thresholds, 'Of Windows kubelets before 1.31, which do not evict by memory.'),
    ),
  }),
  note: described(text, 'What to know before using the numbers.'),
  approximate: v.exactOptional(
    described(v.literal(true), 'The publisher gives rounded numbers only.'),
  ),
  ...sourced,
})
export type SizingModel = Readonly<v.InferOutput<typeof sizingModel>>

const pattern = v.pipe(text, v.check(isPattern, 'not a regular expression'))

function isPattern(source: string): boolean {
  try {
    return new RegExp(source).source !== ''
  } catch {
    return false
  }
}

const only = described(
  v.picklist(['joined', 'unhealthy']),
  'joined: means nothing before the node has joined. unhealthy: also appears during a successful start.',
)

/** Matches items of a list in a report: a pattern for each property. */
function itemSign<const Part extends string, const Names extends readonly string[]>(
  part: Part,
  ...properties: Names
) {
  return v.strictObject({
    in: v.literal(part),
    only: v.exactOptional(only),
    ...v.entriesFromList(properties, v.exactOptional(pattern)),
  })
}

const lineSign = v.strictObject({
  in: v.picklist(['logs', 'configuration']),
  file: v.exactOptional(
    described(pattern, 'Absent: any but winnode.log, which quotes the messages of other programs.'),
  ),
  line: described(pattern, 'The last line that matches is evidence.'),
  anyCase: v.exactOptional(described(v.literal(true), 'Upper and lower case are the same.')),
  only: v.exactOptional(only),
})
export type LineSign = Readonly<v.InferOutput<typeof lineSign>>

const computedSigns = [
  'clock not synchronized',
  'drive nearly full',
  'excluded ports',
  'foreign CNI configuration',
  'kube-proxy for another node',
  'memory low',
  'no name server',
  'service ends',
  'storage use',
  'transparent network of a virtual machine',
] as const
export type ComputedSign = (typeof computedSigns)[number]

const simpleSign = v.union([
  described(itemSign('health', 'kind', 'evidence'), 'A health check that fails.'),
  described(itemSign('preflight', 'id', 'message'), 'A preflight check that fails.'),
  described(itemSign('anyPreflight', 'id', 'message'), 'A preflight check, also one that passes.'),
  described(itemSign('steps', 'kind', 'id', 'detail'), 'A step that differs from the bundle.'),
  described(itemSign('services', 'name', 'status', 'start'), 'A service; start 4 is disabled.'),
  described(itemSign('unread', 'what', 'why'), 'What the node could not read for its report.'),
  lineSign,
  v.strictObject({
    computed: described(
      v.picklist(computedSigns),
      'src/doctor/computed-signs.ts has the functions.',
    ),
  }),
])

const anySign = v.union([
  simpleSign,
  v.strictObject({
    anyOf: v.array(simpleSign),
    details: v.exactOptional(
      described(v.picklist(computedSigns), 'Added to the evidence, if there is any.'),
    ),
  }),
])

const sign = v.union([anySign, v.strictObject({ allOf: v.array(anySign) })])
export type SignRow = Readonly<v.InferOutput<typeof sign>>

const diagnosis = v.strictObject({
  id: text,
  cause: described(text, 'One sentence.'),
  sign,
  fix: described(text, 'One sentence: what to do.'),
  confidence: described(
    v.picklist(['sure', 'likely', 'possible']),
    'sure: a check of the node reports it, or a program logged it as the reason of its exit. likely: the evidence nearly always has this cause. possible: the first thing to check. Evidence from logs and events is less certain if the node is healthy.',
  ),
  pods: v.exactOptional(
    described(
      v.literal(true),
      'It affects single pods, so a node with this problem can be healthy.',
    ),
  ),
  severity: described(
    v.picklist(['error', 'warning']),
    'An error if it keeps the node or its pods from working.',
  ),
  see: link,
  causedBy: v.exactOptional(
    described(texts, 'Diagnoses that cause this problem; beside one of them it is not reported.'),
  ),
  explains: v.exactOptional(
    described(
      texts,
      'The reverse of `causedBy`, with which a network plugin adds itself to the causes of general diagnoses.',
    ),
  ),
  note: v.exactOptional(text),
})
export type DiagnosisRow = Readonly<v.InferOutput<typeof diagnosis>>

/** By file name. */
const reason = v.union([
  text,
  described(v.strictTuple([text, link]), 'With a separate source.'),
  v.strictObject({
    why: text,
    see: v.exactOptional(link),
    field: v.exactOptional(described(text, 'The field of a profile that decides the value.')),
  }),
])
const reasons = v.strictObject({
  see: link,
  rows: described(
    v.record(text, reason),
    'By path in the file, or by flag or variable; * is any key of a map, [] each item of a list.',
  ),
})

/** Files and programs whose settings have a reason in a table, but no value. */
const explained = [
  'kubelet flags',
  'kube-proxy flags',
  'variables of a crash',
  'kube-log-runner flags',
  'containerd flags',
  'hosts.toml',
  'crictl.yaml',
  'service accounts',
  'kubeconfigs',
  'TLS bootstrap bindings',
  'runtime classes',
  'kustomization',
  'kube-proxy DaemonSet',
  'admission policies',
  'image pull',
  'SMB CSI driver',
  'SMB CSIDriver',
  'SMB CSI sources',
  'Fluent Bit',
  'windows_exporter',
  'windows_exporter ServiceMonitor',
  'windows_exporter PrometheusRule',
  'kubelet-csr-approver',
  'gMSA',
  'drift CronJob',
  'credential providers',
] as const

export const tableSchemas = {
  advisories: table('advisories', { advisories: v.array(advisory) }),
  'artifact-sources': table('artifact-sources', {
    bases: described(
      v.record(text, link),
      'Default addresses, without a slash at the end; what is below keeps its path on a mirror.',
    ),
    sources: v.array(artifactSource),
  }),
  'cipher-suites': table('cipher-suites', {
    see: link,
    strong: described(texts, 'With forward secrecy and authenticated encryption.'),
    aliases: described(texts, 'Older names of two suites above.'),
    fixed: described(texts, 'Of TLS 1.3: accepted, but Go offers all of them in any case.'),
    weak: described(texts, 'Accepted: without forward secrecy, or with CBC, 3DES or RC4.'),
    keyExchanges: described(
      v.array(v.number()),
      'P-256, P-384, P-521, X25519, and each with ML-KEM: those that the Go of 1.36 and newer names.',
    ),
  }),
  constraints: table('constraints', {
    kubelet: constraints,
    'kube-proxy': constraints,
    logging: described(constraints, 'What both ask of `logging`, from component-base.'),
  }),
  containerd: table('containerd', { lines: described(ordered(containerdLine), 'Oldest first.') }),
  defects: table('defects', { defects: v.array(defect) }),
  diagnoses: table('diagnoses', {
    topics: described(
      v.record(text, v.array(diagnosis)),
      'Topics that others depend on come first; src/cni has the rows of the network plugins.',
    ),
  }),
  'eviction-signals': table('eviction-signals', { see: link, signals: v.array(evictionSignal) }),
  'foreign-agents': table('foreign-agents', {
    agents: v.array(
      v.strictObject({ service: text, of: described(text, 'Its owner.'), ...sourced }),
    ),
  }),
  kubernetes: table('kubernetes', { minors: described(ordered(kubernetesMinor), 'Oldest first.') }),
  'linux-only-fields': table('linux-only-fields', {
    see: described(
      v.array(link),
      'No program lists them: read in validation_windows.go and in what uses each field.',
    ),
    kubelet: texts,
    'kube-proxy': texts,
  }),
  'node-labels': table('node-labels', {
    see: link,
    reserved: described(texts, 'Namespaces of the project: a name in them needs permission.'),
    namespaces: described(texts, 'Namespaces in which a kubelet may label its own node.'),
    keys: described(texts, 'Labels that a kubelet may give its own node.'),
    byKubelet: described(
      texts,
      'Labels that the kubelet sets itself, overriding labels of a profile.',
    ),
  }),
  reasons: table('reasons', { subjects: v.strictObject(v.entriesFromList(explained, reasons)) }),
  'pod-fields': table('pod-fields', { fields: v.array(podField) }),
  'registry-values': table('registry-values', {
    values: described(v.array(registryValue), 'Default values of host.registry.'),
  }),
  'runtime-requirements': table('runtime-requirements', {
    requirements: v.array(runtimeRequirement),
  }),
  'related-names': table('related-names', {
    rows: v.array(
      v.strictObject({
        words: described(texts, 'Words of other programs and of Windows for one subject.'),
        names: described(texts, 'What winnode explain knows about it, the most useful first.'),
      }),
    ),
  }),
  'sandbox-images': table('sandbox-images', {
    repositories: described(
      ordered(sandboxRepository),
      'The first is kubeadm’s default; the second is signed.',
    ),
    superseded: described(
      v.array(sandboxRepository),
      'Named by older guides and tools: they got no entry for a newer Windows.',
    ),
  }),
  'sizing-models': table('sizing-models', {
    models: described(ordered(sizingModel), 'The first is the default.'),
  }),
  'smoke-images': table('smoke-images', {
    repository: text,
    images: described(ordered(smokeImage), 'Oldest first.'),
  }),
  skew: table('skew', { rules: v.array(skewRule) }),
  tools: table('tools', { tools: v.record(text, toolRelease) }),
  traits: table('traits', { traits: v.strictObject(v.entriesFromList(traitIds, trait)) }),
  'windows-assumptions': table('windows-assumptions', {
    assumptions: v.array(windowsAssumption),
  }),
  'windows-features': table('windows-features', {
    features: v.array(
      v.strictObject({
        names: described(texts, 'As Install-WindowsFeature accepts them.'),
        ...sourced,
        note,
      }),
    ),
  }),
  windows: table('windows', {
    releases: v.strictObject(v.entriesFromList(windowsIds, windowsRelease)),
  }),
}

/** Schemas that the JSON Schema of a table defines once and refers to, by file name. */
export const sharedShapes: Readonly<Record<string, Record<string, v.GenericSchema>>> = {
  constraints: { condition, constraint, constraints, form, value },
  diagnoses: { diagnosis, sign, simpleSign },
  reasons: { reason, reasons },
  'sandbox-images': { repository: sandboxRepository },
  'sizing-models': {
    model: sizingModel,
    part: sizingPart,
    pieces,
    rule: sizingRule,
    simpleRule,
    tiers,
  },
  traits: { trait },
  windows: { release: windowsRelease },
}

/** Rows that `--facts` adds to these tables. A row with the key of a known row replaces it. */
const addedFactsSchema = v.strictObject({
  apiVersion: v.literal('winnode/v1'),
  kind: v.literal('Facts'),
  why: described(text, 'Why these rows are trusted; decisions show it.'),
  kubernetes: v.exactOptional(v.array(kubernetesMinor)),
  containerd: v.exactOptional(v.array(containerdLine)),
  windows: v.exactOptional(v.record(v.picklist(windowsIds), windowsRelease)),
  advisories: v.exactOptional(v.array(advisory)),
  defects: v.exactOptional(v.array(defect)),
})

/** What is wrong in a file of facts. */
export interface FactsFault {
  readonly path: Path
  readonly message: string
}

type AddedRows = Readonly<v.InferOutput<typeof addedFactsSchema>>

/** The rows, or the first error. */
export function parseAddedFacts(document: unknown): AddedRows | FactsFault {
  const parsed = v.safeParse(addedFactsSchema, document)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  return { path, message: issue.message }
}

export interface AddedFacts extends AddedRows {
  /** The file, as the user typed it. */
  readonly name: string
  /** The file for `--facts`, from the working directory. */
  readonly file: string
  /** SHA-256 of the file. */
  readonly digest: string
}

export type Tables = {
  readonly [Name in keyof typeof tableSchemas]: v.InferOutput<(typeof tableSchemas)[Name]>
}
