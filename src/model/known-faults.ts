// The shapes of advisories.json and defects.json in `matrix`: versions with known faults.
import * as v from 'valibot'

const text = v.pipe(v.string(), v.minLength(1))
const range = v.pipe(
  text,
  v.description('node-semver with partial bounds, prereleases included: <1.6.23 || >=1.7 <1.7.6.'),
)
const fixedIn = v.pipe(
  v.array(text),
  v.description('Releases with the fix; empty where none is known.'),
)
const sourced = {
  see: v.pipe(v.string(), v.url(), v.description('Where the row was read, for a person to open.')),
  checked: v.pipe(
    v.string(),
    v.isoDate(),
    v.description('The day the row was last compared with its source.'),
  ),
}

const advisory = v.strictObject({
  id: text,
  component: v.pipe(text, v.description('The program, such as kubelet or containerd.')),
  severity: v.pipe(
    v.picklist(['critical', 'high', 'medium', 'low', 'unrated']),
    v.description(
      'unrated: release notes name it and say no more; every earlier version of the line counts as affected.',
    ),
  ),
  applies: v.pipe(
    v.picklist(['yes', 'conditional', 'unverified']),
    v.description('Whether it concerns a Windows node; unverified where no statement was found.'),
  ),
  condition: v.optional(v.pipe(text, v.description('Where it applies under a condition only.'))),
  affected: range,
  fixedIn,
  summary: text,
  mitigation: v.optional(v.pipe(text, v.description('What helps where an update does not.'))),
  ...sourced,
})
export type Advisory = Readonly<v.InferOutput<typeof advisory>>

const defect = v.strictObject({
  id: text,
  component: v.picklist(['kubelet', 'kube-proxy', 'containerd']),
  range,
  severity: v.picklist(['error', 'warning', 'info']),
  effect: text,
  fixedIn,
  only: v.optional(
    v.pipe(
      v.picklist(['dual-stack', 'hyper-v', 'host-process', 'sandbox-tag-and-digest']),
      v.description('Shows only where this holds too.'),
    ),
  ),
  builds: v.optional(v.pipe(v.array(v.number()), v.description('Only on these Windows builds.'))),
  mode: v.optional(
    v.pipe(
      v.picklist(['l2bridge', 'overlay']),
      v.description('Only with this mode of the HNS network.'),
    ),
  ),
  ...sourced,
})
export type Defect = Readonly<v.InferOutput<typeof defect>>

/** By the name of the file. */
export const faultTables = {
  advisories: v.strictObject({
    $schema: v.literal('./advisories.schema.json'),
    advisories: v.array(advisory),
  }),
  defects: v.strictObject({
    $schema: v.literal('./defects.schema.json'),
    defects: v.array(defect),
  }),
}
