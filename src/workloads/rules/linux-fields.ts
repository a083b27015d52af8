// Linux fields in a Windows pod: rejected with os.name: windows, and otherwise by the kubelet or without effect.
import { kubeletRefusal, podFields, refusesField } from '../../matrix/pod-fields.ts'
import { isList, type Json, type JsonObject, valueAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { Conflict } from '../../model/rule.ts'
import type { PodField } from '../../model/tables.ts'
import { defineWorkloadRule, type WorkloadRule } from '../rule.ts'
import { isSet, podOsName, type Workload } from '../workload.ts'

const containerFields = 'containers[].'

const counts: Readonly<Record<PodField['counts'], (value: Json | undefined) => boolean>> = {
  set: isSet,
  true: (value) => value === true,
  filled: (value) => isList(value) && value.length > 0,
}

/** A rule for each row of the table. */
export const linuxFields: readonly WorkloadRule[] = podFields.map((row) =>
  defineWorkloadRule({
    id: row.id,
    severity: 'error',
    summary: `A pod for Windows does not set ${namesOf(row).join(' or ')}.`,
    remedy: row.remedy,
    see: row.see,
    check: (workload, { apiServer, node }) => {
      const refusal = kubeletRefusal(row, node?.spec.kubernetes.version ?? apiServer)
      const refused = podOsName(workload) === 'windows' && refusesField(row, apiServer)
      return placesOf(row, workload).map(({ path, subject }): Conflict => {
        const at = 'key'
        if (refused)
          return {
            path,
            at,
            message: `${subject} is set; the API server rejects the pod, because os.name is windows`,
          }
        if (refusal !== undefined)
          return {
            path,
            at,
            message: `${subject} is set; a kubelet on Windows rejects the pod (${refusal})`,
          }
        const message = `${subject} has no effect: ${row.effect}`
        return { path, at, severity: 'warning', harm: 'limits', message }
      })
    },
  }),
)

interface Found {
  readonly path: Path
  /** `container app: securityContext.privileged` */
  readonly subject: string
}

function namesOf({ fields }: PodField): readonly string[] {
  return [...new Set(fields.map((field) => field.replace(containerFields, '')))]
}

function placesOf(row: PodField, workload: Workload): readonly Found[] {
  const isCounted = counts[row.counts]
  return row.fields.flatMap((field) => {
    const name = field.replace(containerFields, '')
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
function hasRestrictedBlock(container: JsonObject): boolean {
  const setting = (...path: Path) => valueAt(container, ['securityContext', ...path])
  const drop = setting('capabilities', 'drop')
  return setting('allowPrivilegeEscalation') === false && isList(drop) && drop.includes('ALL')
}

export const restrictedBlock = defineWorkloadRule({
  id: 'restricted-block-without-os-name',
  severity: 'warning',
  harm: 'limits',
  summary: 'A pod for Windows in a namespace with the restricted Pod Security level sets os.name.',
  remedy:
    'Set os.name: windows, and delete capabilities, seccompProfile and allowPrivilegeEscalation: with os.name, the restricted level does not require them.',
  see: 'https://kubernetes.io/docs/concepts/security/pod-security-standards/#os-specific-policy-controls',
  check: (workload) =>
    podOsName(workload) === undefined
      ? workload.containers
          .filter(({ spec }) => hasRestrictedBlock(spec))
          .map(({ title, path }) => ({
            path: [...path, 'securityContext'],
            at: 'key',
            message: `${title}: the block for the restricted Pod Security level has no effect, and the API server rejects it beside os.name: windows`,
          }))
      : [],
})
