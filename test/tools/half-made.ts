// Changes that somebody began, each with the parts that are missing and who names them.

export interface Change {
  readonly name: string
  /** The compiler, the linter, or a test file. */
  readonly by: 'compiler' | 'linter' | `test/${string}.test.ts`
  /** Tried at each run; the others under WINNODE_ALL, as they take seconds. */
  readonly sample?: true
  /** A file that is not there has an empty text. */
  readonly edits: readonly {
    readonly file: string
    readonly from: string
    readonly to: string
  }[]
  readonly missing: readonly { readonly file: string; readonly says: RegExp }[]
}

const minor = `
  {
    minor: '1.38',
    released: '2026-08-26',
    maintenance: '2027-08-28',
    endOfLife: '2027-10-28',
    newestPatch: '1.38.1',
    containerd: '>=2.3',
    sandboxTag: '3.10.2',
    see: past,
    checked,
  },
]
`

const line = `
  {
    line: '2.5',
    released: '2026-11-18',
    endOfLife: '2027-07-18',
    status: 'active',
    newestPatch: '2.5.0',
    maxConfigVersion: 4,
    see,
    checked: '2026-11-22',
  },
]
`

const release: Change['edits'] = [
  { file: 'src/model/rows.ts', from: "  'ws2025',\n", to: "  'ws2025',\n  'ws2028',\n" },
  {
    file: 'src/matrix/windows.ts',
    from: '} as const satisfies Readonly<Partial<Record<WindowsId',
    to: `  ws2028: {
    id: 'ws2028',
    name: 'Windows Server 2028',
    channel: 'LTSC',
    build: 28000,
    released: '2026-11-01',
    mainstreamEnd: '2031-11-13',
    extendedEnd: '2036-11-14',
    kubernetes: [{ range: '*', status: 'supported' }],
    knownBadRevisions: [],
    see: 'https://learn.microsoft.com/en-us/lifecycle/products/windows-server-2028',
    checked,
  },
} as const satisfies Readonly<Partial<Record<WindowsId`,
  },
]

/** A rule that a hurried person adds: all that the compiler asks for, and rows that have it fire and be silent. */
const rule = (id: string, path: string, message: string): Change['edits'] => [
  {
    file: 'src/rules/sizing.ts',
    from: 'const floor = 2048\n',
    to: `export const rack = defineRule({
  id: '${id}',
  severity: 'warning',
  harm: 'limits',
  summary: 'A rack has a name.',
  remedy: 'Give it one.',
  see,
  check: ({ spec }) => when(spec.kubelet.maxPods === 77, [${path}], '${message}'),
})

const floor = 2048
`,
  },
  {
    file: 'src/rules/index.ts',
    from: '  sizing.manyPods,\n',
    to: '  sizing.manyPods,\n  sizing.rack,\n',
  },
  {
    file: 'test/rules/node.ts',
    from: 'export const nodeRows: readonly Row[] = [\n',
    to: `export const nodeRows: readonly Row[] = [\n  ['${id}', { kubelet: { maxPods: 77 } }],\n`,
  },
]

export const changes: readonly Change[] = [
  {
    name: 'a network plugin',
    by: 'compiler',
    edits: [
      {
        file: 'src/model/spec.ts',
        from: "['flannel', 'antrea']",
        to: "['flannel', 'antrea', 'calico']",
      },
    ],
    missing: [
      { file: 'src/cni/index.ts', says: /'calico' is missing/ },
      { file: 'src/profile/fields/network.ts', says: /'calico' is missing/ },
      { file: 'src/cluster/detect/network-plugin.ts', says: /'calico' is missing/ },
    ],
  },
  {
    name: 'a kind of step',
    by: 'compiler',
    edits: [
      {
        file: 'src/model/step.ts',
        from: "    | {\n        readonly kind: 'bootstrapJoin'",
        to: "    | { readonly kind: 'mount'; readonly path: string }\n    | {\n        readonly kind: 'bootstrapJoin'",
      },
    ],
    missing: [
      { file: 'src/artifacts/step-words.ts', says: /'mount' is missing/ },
      { file: 'src/drift/needs.ts', says: /'mount' is missing/ },
      { file: 'test/node/step-kinds.ts', says: /'mount' is missing/ },
    ],
  },
  {
    name: 'a Windows release',
    by: 'compiler',
    edits: [{ file: 'src/model/rows.ts', from: "  'ws2025',\n", to: "  'ws2025',\n  'ws2028',\n" }],
    missing: [{ file: 'src/matrix/windows.ts', says: /'ws2028' is missing/ }],
  },
  {
    name: 'a format of config.toml',
    by: 'compiler',
    edits: [{ file: 'src/model/rows.ts', from: '[2, 3, 4]', to: '[2, 3, 4, 5]' }],
    missing: [
      { file: 'src/artifacts/containerd.ts', says: /lacks ending return/ },
      { file: 'src/artifacts/settings/containerd.ts', says: /'5' does not exist|Property '5'/ },
    ],
  },
  {
    name: 'a containerd line with a format that nobody writes',
    by: 'compiler',
    edits: [
      { file: 'src/matrix/containerd.ts', from: 'maxConfigVersion: 4', to: 'maxConfigVersion: 5' },
    ],
    missing: [{ file: 'src/matrix/containerd.ts', says: /'5' is not assignable/ }],
  },
  {
    name: 'a field that the code does not know',
    by: 'compiler',
    edits: [
      {
        file: 'src/profile/fields/components.ts',
        from: '    labels: field(\n',
        to: "    rack: field(v.string(), '', { what: 'A.', why: 'B.', example: 'c' }),\n    labels: field(\n",
      },
    ],
    missing: [{ file: 'test/profile.test.ts', says: /not assignable to type '"rack"'/ }],
  },
  {
    name: 'a field that no profile has',
    by: 'compiler',
    edits: [
      {
        file: 'src/model/spec.ts',
        from: '    readonly labels:',
        to: '    readonly rack: string\n    readonly labels:',
      },
    ],
    missing: [{ file: 'src/profile/groups.ts', says: /rack/ }],
  },
  {
    name: 'a warning that does not say what it harms',
    by: 'compiler',
    edits: [
      {
        file: 'src/rules/sizing.ts',
        from: "severity: 'warning',\n  harm: 'breaks',",
        to: "severity: 'warning',",
      },
    ],
    missing: [{ file: 'src/rules/sizing.ts', says: /'harm' is missing/ }],
  },
  {
    name: 'a target without the limits of the programs that take it',
    by: 'compiler',
    edits: [{ file: 'src/targets/zip.ts', from: '  limits: [],\n', to: '' }],
    missing: [{ file: 'src/targets/zip.ts', says: /'limits' is missing/ }],
  },
  {
    name: 'a rule, a target and a command that no list has',
    by: 'test/architecture.test.ts',
    sample: true,
    edits: [
      { file: 'src/rules/index.ts', from: '  sizing.manyPods,\n', to: '' },
      {
        file: 'src/targets/index.ts',
        from: "  zip: async () => (await import('./zip.ts')).zip,\n",
        to: '',
      },
      { file: 'src/commands/index.ts', from: "  schema: () => import('./schema.ts'),\n", to: '' },
    ],
    missing: [
      { file: 'src/rules/sizing.ts', says: /rules\/sizing\.ts: nobody asks for manyPods/ },
      { file: 'src/targets/zip.ts', says: /targets\/zip\.ts: nobody asks for zip/ },
      { file: 'src/commands/schema.ts', says: /commands\/schema\.ts: nobody asks for Schema/ },
    ],
  },
  {
    name: 'a Kubernetes minor',
    by: 'test/matrix.test.ts',
    sample: true,
    edits: [{ file: 'src/matrix/kubernetes.ts', from: '\n]\n', to: minor }],
    missing: [
      {
        file: 'test/judge/tables/kubelet-flags.json',
        says: /test\/judge\/tables\/kubelet-flags\.json lacks 1\.38/,
      },
      {
        file: 'src/matrix/feature-gates.ts',
        says: /src\/matrix\/feature-gates\.ts, lastMinor lacks 1\.38/,
      },
      { file: 'src/matrix/tools.ts', says: /src\/matrix\/tools\.ts, crictlReleases lacks 1\.38/ },
    ],
  },
  {
    name: 'a Kubernetes minor that is not there yet, tested with what a rule refuses',
    by: 'test/matrix.test.ts',
    edits: [
      {
        file: 'src/matrix/kubernetes.ts',
        from: '\n]\n',
        to: minor.replace('>=2.3', '>=1.7.28').replace('2026-08-26', '2027-08-26'),
      },
    ],
    missing: [
      {
        file: 'src/matrix/kubernetes.ts',
        says: /kubernetes\.ts: 1\.38 was tested with 1\.7\.\d+, which no rule refuses/,
      },
      {
        file: 'src/matrix/kubernetes.ts',
        says: /1\.38 was released before the tables were closed/,
      },
    ],
  },
  {
    name: 'a containerd line with the patch of another',
    by: 'test/matrix.test.ts',
    edits: [
      {
        file: 'src/matrix/containerd.ts',
        from: "newestPatch: '2.4.2'",
        to: "newestPatch: '2.5.0'",
      },
    ],
    missing: [{ file: 'src/matrix/containerd.ts', says: /the newest patch of 2\.4 is one of it/ }],
  },
  {
    name: 'a containerd line that nobody judged',
    by: 'test/judge.test.ts',
    edits: [{ file: 'src/matrix/containerd.ts', from: '\n]\n', to: line }],
    missing: [{ file: 'test/judge.test.ts', says: /lacks the formats of containerd 2\.5/ }],
  },
  {
    name: 'a Windows release without images',
    by: 'test/matrix.test.ts',
    edits: release,
    missing: [
      {
        file: 'src/matrix/sandbox-images.ts',
        says: /sandbox-images\.ts lacks a tag from \S+ on for ws2028, 28000/,
      },
      { file: 'src/matrix/windows.ts', says: /windows\.ts lacks the imageTag of ws2028/ },
    ],
  },
  {
    name: 'a Windows release with the build of another',
    by: 'test/matrix.test.ts',
    edits: release.map((edit) => ({ ...edit, to: edit.to.replace('28000', '26100') })),
    missing: [
      { file: 'src/matrix/windows.ts', says: /windows\.ts: ws2028 has a build of its own/ },
    ],
  },
  {
    name: 'a Windows release without a profile',
    by: 'test/profiles.test.ts',
    edits: release,
    missing: [{ file: 'profiles', says: /profiles\/ has one with ws2028/ }],
  },
  {
    name: 'a rule without rows',
    by: 'test/rules.test.ts',
    edits: [
      {
        file: 'src/rules/sizing.ts',
        from: "'nothing-left-for-pods'",
        to: "'nothing-at-all-for-pods'",
      },
    ],
    missing: [
      {
        file: 'test/rules',
        says: /nothing-at-all-for-pods: no row of test\/rules where it fires/,
      },
    ],
  },
  {
    name: 'a rule about no field',
    by: 'test/rules.test.ts',
    edits: rule('rack-unknown', "'kubelet', 'rack'", 'there is no rack'),
    missing: [
      {
        file: 'src/rules/sizing.ts',
        says: /rack-unknown is about kubelet\.rack, which is no field/,
      },
    ],
  },
  {
    name: 'a rule without a word',
    by: 'test/rules.test.ts',
    edits: rule('rack-unknown', "'kubelet', 'maxPods'", ''),
    missing: [{ file: 'src/rules/sizing.ts', says: /rack-unknown says "": words without a dot/ }],
  },
  {
    name: 'a rule that asks for a trait, and no version turns it',
    by: 'test/rules.test.ts',
    edits: [
      {
        file: 'test/rules/turns.ts',
        from: "    'processors-beyond-one-group',\n",
        to: "    'kubelet-events-unbounded',\n",
      },
    ],
    missing: [
      {
        file: 'test/rules/turns.ts',
        says: /processors-beyond-one-group: no row of test\/rules\/turns\.ts/,
      },
    ],
  },
  {
    name: 'a rule that compares versions',
    by: 'linter',
    edits: [
      {
        file: 'src/rules/sizing.ts',
        from: 'spec.machine.cpu > 64 &&',
        to: "spec.kubernetes.version.startsWith('1.2') && spec.machine.cpu > 64 &&",
      },
    ],
    missing: [{ file: 'src/rules/sizing.ts', says: /Versions are compared in src\/matrix/ }],
  },
  {
    name: 'a field that moved without a word',
    by: 'test/profile.test.ts',
    edits: [
      {
        file: 'src/profile/renamed.ts',
        from: "  'network.vni': ['network', 'flannel', 'vni'],\n",
        to: '',
      },
      { file: 'test/golden/fields.txt', from: 'network\n', to: 'network\nnetwork.vni\n' },
    ],
    missing: [
      { file: 'src/profile/renamed.ts', says: /src\/profile\/renamed\.ts lacks network\.vni/ },
    ],
  },
  {
    name: 'a field that is said to have moved, and is still there',
    by: 'test/profile.test.ts',
    edits: [
      {
        file: 'src/profile/renamed.ts',
        from: "  'network.vni':",
        to: "  'network.mode': ['network', 'flannel', 'vni'],\n  'network.vni':",
      },
    ],
    missing: [
      { file: 'src/profile/renamed.ts', says: /src\/profile\/renamed\.ts: what has moved/ },
    ],
  },
  {
    name: 'a kind of step that Reset does not know, by a name that it has not',
    by: 'test/powershell-style.test.ts',
    edits: [
      {
        file: 'templates/node/module/kinds/route.ps1',
        from: "Subject = 'prefix'; Reset = '",
        to: "Subject = 'rack'; Reset = 'un",
      },
    ],
    missing: [
      { file: 'templates/node/module/kinds/route.ps1', says: /a route has the rack that a person/ },
      { file: 'templates/node/module/kinds/route.ps1', says: /route: Reset knows to un/ },
    ],
  },
  {
    name: 'a command with an example of another',
    by: 'test/commands.test.ts',
    edits: [
      {
        file: 'src/commands/schema.ts',
        from: 'schema > winnode.schema.json',
        to: 'schema --rack 5 > winnode.schema.json',
      },
    ],
    missing: [{ file: 'src/commands/schema.ts', says: /the examples of schema are of it/ }],
  },
  {
    name: 'a command that prints by itself',
    by: 'test/architecture.test.ts',
    edits: [
      {
        file: 'src/commands/schema.ts',
        from: 'this.data(jsonText(schema))',
        to: 'console.log(jsonText(schema))',
      },
    ],
    missing: [{ file: 'src/commands/schema.ts', says: /commands\/schema\.ts/ }],
  },
  {
    name: 'a profile that nobody finds',
    by: 'test/profiles.test.ts',
    edits: [{ file: 'profiles/ws2099.yml', from: '', to: 'extends: base\n' }],
    missing: [{ file: 'profiles/ws2099.yml', says: /ws2099\.yml/ }],
  },
  {
    name: 'a profile that says nothing of itself',
    by: 'test/profiles.test.ts',
    edits: [{ file: 'profiles/ws2099.yaml', from: '', to: 'extends: base\n' }],
    missing: [{ file: 'profiles/ws2099.yaml', says: /ws2099 says what it is for/ }],
  },
  {
    name: 'a network plugin without a profile',
    by: 'test/profiles.test.ts',
    edits: [
      {
        file: 'src/model/spec.ts',
        from: "['flannel', 'antrea']",
        to: "['flannel', 'antrea', 'calico']",
      },
    ],
    missing: [{ file: 'profiles', says: /profiles\/ has one with calico/ }],
  },
  {
    name: 'a diagnosis that no report has shown',
    by: 'test/doctor.test.ts',
    edits: [
      {
        file: 'src/doctor/diagnoses/images.ts',
        from: "'image-without-windows'",
        to: "'image-without-anything'",
      },
    ],
    missing: [{ file: 'test/doctor', says: /image-without-anything/ }],
  },
]
