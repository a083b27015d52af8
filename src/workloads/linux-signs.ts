// What in a pod shows that it is for Linux.
import { buildsOf } from '../matrix/image-builds.ts'
import { podFields } from '../matrix/pod-fields.ts'
import { isList, type Json, type JsonObject, textAt, valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import type { PodField } from '../model/tables.ts'
import { itemsAt } from './manifest.ts'
import type { RuleContext } from './rule.ts'
import { isHostProcess, isSet, podOsName, type Workload } from './workload.ts'

const containerFields = 'containers[].'

const counts: Readonly<Record<PodField['counts'], (value: Json | undefined) => boolean>> = {
  set: isSet,
  true: (value) => value === true,
  filled: (value) => isList(value) && value.length > 0,
}

interface LinuxField {
  readonly path: Path
  /** `container app: securityContext.privileged` */
  readonly subject: string
}

/** Without the list of the containers. */
export function fieldName(field: string): string {
  return field.replace(containerFields, '')
}

/** Where a pod sets the fields of a row. */
export function linuxFieldsIn(row: PodField, workload: Workload): readonly LinuxField[] {
  const isCounted = counts[row.counts]
  return row.fields.flatMap((field) => {
    const name = fieldName(field)
    const steps = name.split('.')
    if (name === field)
      return isCounted(valueAt(workload.spec, steps))
        ? [{ path: [...workload.path, ...steps], subject: name }]
        : []
    return workload.containers
      .filter(({ spec }) => isCounted(valueAt(spec, steps)) && !isRestricted(row, workload, spec))
      .map(({ title, path }) => ({ path: [...path, ...steps], subject: `${title}: ${name}` }))
  })
}

/** Without os.name, one rule reports the whole block of the restricted level, so its fields are left out. */
function isRestricted({ id }: PodField, workload: Workload, container: JsonObject): boolean {
  return (
    podOsName(workload) === undefined &&
    ['linux-capabilities', 'linux-privilege-escalation', 'linux-seccomp'].includes(id) &&
    hasRestrictedBlock(container)
  )
}

/** The settings that the restricted Pod Security level requires of each Linux container. */
export function hasRestrictedBlock(container: JsonObject): boolean {
  const setting = (...path: Path) => valueAt(container, ['securityContext', ...path])
  const drop = setting('capabilities', 'drop')
  return setting('allowPrivilegeEscalation') === false && isList(drop) && drop.includes('ALL')
}

/** Folders that a Windows node does not have: it has `\etc`, `\opt`, `\run` and `\var` for Kubernetes. */
const linuxFolder = /^\/(?:boot|dev|lib|lib64|proc|sbin|sys|usr)(?:\/|$)/

/** Each as a noun, such as `hostPID` or `container app: securityContext.privileged`. */
export function linuxSigns(
  workload: Workload,
  { platforms }: Pick<RuleContext, 'platforms'>,
): readonly string[] {
  const { spec, containers } = workload
  const fields = podFields.flatMap((row) => linuxFieldsIn(row, workload))
  const hostPaths = itemsAt(spec, ['volumes']).flatMap(({ item }) => {
    const path = textAt(item, ['hostPath', 'path'])
    return linuxFolder.test(path) ? [`hostPath ${path}`] : []
  })
  const images = containers.flatMap((container) => {
    const image = textAt(container.spec, ['image'])
    const { builds, runsOnEvery } = buildsOf(image, platforms)
    return builds?.length === 0 && !runsOnEvery ? [`image ${image}`] : []
  })
  return [
    ...fields.map(({ subject }) => subject),
    // On Windows, only HostProcess containers use the network of the node.
    ...(spec['hostNetwork'] === true && !isHostProcess(workload) ? ['hostNetwork'] : []),
    ...hostPaths,
    ...images,
  ]
}

export function hasLinuxSign(workload: Workload, around: Pick<RuleContext, 'platforms'>): boolean {
  return linuxSigns(workload, around).length > 0
}
