// Linux fields in a Windows pod: rejected with os.name: windows, and otherwise by the kubelet or without effect.
import { kubeletRefusal, podFields, refusesField } from '../../matrix/pod-fields.ts'
import type { Conflict } from '../../model/rule.ts'
import type { PodField } from '../../model/tables.ts'
import { fieldName, hasRestrictedBlock, linuxFieldsIn } from '../linux-signs.ts'
import { defineWorkloadRule, type WorkloadRule } from '../rule.ts'
import { podOsName } from '../workload.ts'
import { targetOf } from '../windows.ts'

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
      return linuxFieldsIn(row, workload).map(({ path, subject }): Conflict => {
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

function namesOf({ fields }: PodField): readonly string[] {
  return [...new Set(fields.map((field) => fieldName(field)))]
}

export const restrictedBlock = defineWorkloadRule({
  id: 'restricted-block-without-os-name',
  severity: 'warning',
  harm: 'limits',
  summary: 'A pod for Windows in a namespace with the restricted Pod Security level sets os.name.',
  remedy:
    'Set os.name: windows, and delete capabilities, seccompProfile and allowPrivilegeEscalation: with os.name, the restricted level does not require them.',
  see: 'https://kubernetes.io/docs/concepts/security/pod-security-standards/#os-specific-policy-controls',
  check: (workload, around) =>
    podOsName(workload) === undefined && targetOf(workload, around) === 'windows'
      ? workload.containers
          .filter(({ spec }) => hasRestrictedBlock(spec))
          .map(({ title, path }) => ({
            path: [...path, 'securityContext'],
            at: 'key',
            message: `${title}: the block for the restricted Pod Security level has no effect, and the API server rejects it beside os.name: windows`,
          }))
      : [],
})
