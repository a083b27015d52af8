// Changes that somebody began, each with the parts that are missing and who names them.

export interface Change {
  readonly name: string
  /** The compiler, or a test file. */
  readonly by: 'compiler' | `test/${string}.test.ts`
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
