// An object that creates pods, and the spec of its pods.
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  ownOf,
  textAt,
  textsAt,
  valueAt,
} from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { itemsAt, type Manifest } from './manifest.ts'

/** Path of the pod template in each kind: https://kubernetes.io/docs/concepts/workloads/ */
const kinds: Readonly<
  Record<string, { readonly groups: readonly string[]; readonly template: Path }>
> = {
  Pod: { groups: [''], template: [] },
  PodTemplate: { groups: [''], template: ['template'] },
  ReplicationController: { groups: [''], template: ['spec', 'template'] },
  Deployment: { groups: ['apps', 'extensions'], template: ['spec', 'template'] },
  ReplicaSet: { groups: ['apps', 'extensions'], template: ['spec', 'template'] },
  DaemonSet: { groups: ['apps', 'extensions'], template: ['spec', 'template'] },
  StatefulSet: { groups: ['apps'], template: ['spec', 'template'] },
  Job: { groups: ['batch'], template: ['spec', 'template'] },
  CronJob: { groups: ['batch'], template: ['spec', 'jobTemplate', 'spec', 'template'] },
}

export const workloadKinds: readonly string[] = Object.keys(kinds)

export interface Container {
  /** `container app`, `init container setup`. */
  readonly title: string
  readonly spec: JsonObject
  /** From the object. */
  readonly path: Path
}

export interface Workload {
  readonly manifest: Manifest
  /** Of its pods. */
  readonly labels: Readonly<Record<string, string>>
  /** Of its pods. */
  readonly spec: JsonObject
  /** Path of the pod spec in the object. */
  readonly path: Path
  /** Containers and init containers. */
  readonly containers: readonly Container[]
}

/** None for an object that creates no pods. */
export function workloadsOf(manifest: Manifest): readonly Workload[] {
  return templatesOf(manifest).flatMap((template) => {
    const path = [...template, 'spec']
    const spec = valueAt(manifest.value, path)
    if (!isObject(spec)) return []
    const labels = textsAt(manifest.value, [...template, 'metadata', 'labels'])
    return [{ manifest, labels, spec, path, containers: containersOf(spec, path) }]
  })
}

function templatesOf({ kind, group, value }: Manifest): readonly Path[] {
  const known = ownOf(kinds, kind)
  return known?.groups.includes(group) ? [known.template] : templatesIn(value, [])
}

/** Pod templates of any other kind, such as a Rollout of Argo or a ScaledJob of KEDA. */
function templatesIn(value: Json | undefined, at: Path): readonly Path[] {
  if (isList(value)) return value.flatMap((one, index) => templatesIn(one, [...at, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...at, key]
    const isTemplate = key === 'template' && isList(valueAt(inner, ['spec', 'containers']))
    return isTemplate ? [path] : templatesIn(inner, path)
  })
}

function containersOf(spec: JsonObject, path: Path): readonly Container[] {
  const lists = { containers: 'container', initContainers: 'init container' }
  return Object.entries(lists).flatMap(([list, title]) =>
    itemsAt(spec, [list]).map(({ item, path: at }) => ({
      title: `${title} ${textAt(item, ['name'])}`.trim(),
      spec: item,
      path: [...path, ...at],
    })),
  )
}

/** `null` in a manifest means not set. */
export function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

/** Absent where it is not set; the API server takes only linux and windows. */
export function podOsName({ spec }: Workload): string | undefined {
  const os = valueAt(spec, ['os'])
  return isSet(os) ? textAt(spec, ['os', 'name']) : undefined
}

/** The effective setting of a container: its own, otherwise the pod's. */
export function securitySetting(
  workload: Workload,
  container: Container,
  setting: Path,
): Json | undefined {
  const { spec } = securityOwner(workload, container, setting)
  return valueAt(spec, ['securityContext', ...setting])
}

/** Where the effective setting is, from the object. */
export function securityPath(workload: Workload, container: Container, setting: Path): Path {
  const { path } = securityOwner(workload, container, setting)
  return [...path, 'securityContext', ...setting]
}

function securityOwner(workload: Workload, container: Container, setting: Path) {
  const own = valueAt(container.spec, ['securityContext', ...setting])
  return isSet(own) ? container : workload
}

const hostProcess = ['windowsOptions', 'hostProcess']

/** Whether a container runs on the node itself; the API server rejects pods with both kinds. */
export function isHostProcess(workload: Workload): boolean {
  return (
    valueAt(workload.spec, ['securityContext', ...hostProcess]) === true ||
    workload.containers.some((one) => securitySetting(workload, one, hostProcess) === true)
  )
}

export function hasWindowsOptions({ spec, containers }: Workload): boolean {
  return [spec, ...containers.map((one) => one.spec)].some((one) =>
    isSet(valueAt(one, ['securityContext', 'windowsOptions'])),
  )
}

/** Images of all workloads, each once. */
export function imagesOf(manifests: readonly Manifest[]): readonly string[] {
  const images = manifests.flatMap((one) =>
    workloadsOf(one).flatMap(({ containers }) =>
      containers.map(({ spec }) => textAt(spec, ['image'])),
    ),
  )
  return [...new Set(images)].filter((image) => image !== '')
}
