// The table of profile fields: the source of types, defaults, help, the reference page and the JSON Schema.
import * as v from 'valibot'
import type { Credentials } from '../../model/credentials.ts'
import type { Json } from '../../model/json.ts'
import type { PluginSettings } from '../../model/plugin-settings.ts'
import { cluster } from './cluster.ts'
import { kubelet, kubeProxy } from './components.ts'
import { host, isolation, services } from './host.ts'
import { ignore } from './ignore.ts'
import { join } from './join.ts'
import { objectName, open } from '../../model/field.ts'
import { network } from './network.ts'
import { machine, reserve } from './reserve.ts'
import { artifacts, registry } from './supply.ts'
import { smoke } from './smoke.ts'
import { targets } from './targets.ts'
import { containerd, kubernetes, sandboxImage, windows } from './versions.ts'

export const profileSchema = v.strictObject({
  apiVersion: v.pipe(
    v.literal('winnode/v1'),
    v.metadata({ what: 'API version of the file; always winnode/v1.' }),
  ),
  kind: v.pipe(
    v.literal('NodeProfile'),
    v.metadata({ what: 'Kind of the file; always NodeProfile.' }),
  ),
  name: open(objectName(63), {
    what: 'Name of the bundle, in its README and in node.json.',
    why: 'It identifies bundles for different node pools.',
    derived: 'the file name without extension',
    example: 'ws2022-web',
  }),
  summary: open(v.string(), {
    what: 'One-sentence description of the profile.',
    why: 'Shown at the top of the bundle’s README and in the list of profiles.',
    derived: 'a sentence with the Kubernetes version',
    example: 'Web servers in the second rack.',
  }),
  extends: open(v.string(), {
    what: 'The profile that this one extends: a built-in name, or a path that starts with ./',
    why: 'Maps are merged, other values replaced, and null removes a value. A path may not leave the folder of the profile.',
    example: 'base',
  }),
  facts: open(v.string(), {
    what: 'A file with rows for the tables of winnode: a path that starts with ./',
    why: 'A new patch or a defect of your environment counts for this profile and those that extend it. The flag --facts takes its place. docs/facts.md has the format.',
    example: './corp.facts.yaml',
  }),
  windows,
  kubernetes,
  containerd,
  sandboxImage,
  network,
  kubelet,
  kubeProxy,
  reserve,
  machine,
  join,
  services,
  host,
  registry,
  artifacts,
  isolation,
  cluster,
  smoke,
  targets,
  ignore,
})

/** The values of a profile, with constant defaults filled in. */
export type ProfileValues = v.InferOutput<typeof profileSchema>

/** The type of a field whose default `resolve.ts` computes. */
type Decided<Group> = { readonly [Name in keyof Group]-?: NonNullable<Group[Name]> }

/** Passed-through settings are already read-only, and their type is recursive. */
type DeepReadonly<Value> = Json extends Value[keyof Value]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

type Values = DeepReadonly<ProfileValues>

declare module '../../model/spec.ts' {
  /** The values of a profile, except for computed and normalized fields. */
  interface NodeSpec extends Omit<Values, 'network' | 'kubeProxy' | keyof Choices>, Choices {
    readonly network: Omit<Values['network'], keyof Named | keyof PluginSettings> &
      Named &
      PluginSettings
    readonly kubeProxy: Omit<Values['kubeProxy'], 'credentials'> & {
      readonly credentials: Credentials
    }
  }
}

interface Choices extends Decided<Pick<Values, 'name' | 'summary' | 'sandboxImage'>> {
  readonly kubernetes: Decided<Values['kubernetes']>
  readonly containerd: Decided<Values['containerd']>
}

interface Named extends Decided<
  Pick<Values['network'], 'name' | 'clusterDNS' | 'blockWireserver'>
> {
  /** The plugin's name for the mode: vxlan, host-gw, geneve. */
  readonly backend: string
}
