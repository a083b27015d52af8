// The user that a container runs as: runAsUserName, group managed service accounts, and runAsNonRoot.
import { type Json, textAt, valueAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import { type Conflict, when } from '../../model/rule.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isSet, securityPath, securitySetting, type Workload } from '../workload.ts'

const userNames =
  'https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/'
const accounts = 'https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/'
const validation =
  'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/apis/core/validation/validation.go'

const rejects = 'the API server rejects the pod'

/** The values of a windowsOptions setting, of the pod and of each container that sets it. */
function optionValues(
  { spec, path, containers }: Workload,
  name: string,
): readonly { readonly value: Json; readonly path: Path; readonly subject: string }[] {
  const at = ['securityContext', 'windowsOptions', name]
  return [{ spec, path, title: '' }, ...containers].flatMap((one) => {
    const value = valueAt(one.spec, at)
    const subject = one.title === '' ? name : `${one.title}: ${name}`
    return value === undefined || value === null
      ? []
      : [{ value, path: [...one.path, ...at], subject }]
  })
}

/** validateWindowsSecurityContextOptions; `undefined` for a name that the API server accepts. */
function userNameProblem(name: string): string | undefined {
  const parts = name.split('\\')
  const user = parts.at(-1) ?? ''
  const domain = parts.length > 1 ? parts[0] : undefined
  if (name === '') return 'is empty'
  if (/[\0-\x1f\x7f]/.test(name)) return 'has a control character'
  if (parts.length > 2) return 'has more than one backslash'
  if (domain !== undefined && !isDomain(domain))
    return 'has a domain that is no NetBIOS or DNS name'
  if (user === '') return 'has no user'
  if (new TextEncoder().encode(user).length > 104) return 'has a user of more than 104 characters'
  if (/["/:;|=,+*?<>@[\]]/.test(user)) return 'has a user with one of " / : ; | = , + * ? < > @ [ ]'
  return /^[. ]+$/.test(user) ? 'has a user of only dots or spaces' : undefined
}

function isDomain(domain: string): boolean {
  const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
  return (
    domain.length < 256 &&
    (/^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/.test(domain) ||
      new RegExp(`^${label}(?:\\.${label})*$`).test(domain))
  )
}

export const userNameRefused = defineWorkloadRule({
  id: 'run-as-user-name-malformed',
  severity: 'error',
  summary: 'windowsOptions.runAsUserName is USER or DOMAIN\\USER.',
  remedy: 'Write USER, or DOMAIN\\USER with one backslash; in double quotes YAML wants two.',
  see: userNames,
  check: (workload) =>
    optionValues(workload, 'runAsUserName').flatMap(({ value, path, subject }) => {
      const wrong = typeof value === 'string' ? userNameProblem(value) : undefined
      return wrong === undefined ? [] : [{ path, message: `${subject} ${wrong}; ${rejects}` }]
    }),
})

export const accountNameRefused = defineWorkloadRule({
  id: 'gmsa-name-malformed',
  severity: 'error',
  summary: 'windowsOptions.gmsaCredentialSpecName is a DNS name in lower case.',
  remedy: 'Name the GMSACredentialSpec object in lower case, and use that name.',
  see: accounts,
  check: (workload) =>
    optionValues(workload, 'gmsaCredentialSpecName').flatMap(({ value, path, subject }) =>
      when(
        typeof value === 'string' && !isSubdomain(value),
        path,
        `${subject} is not a DNS name in lower case; ${rejects}`,
      ),
    ),
})

/** RFC 1123, as object names are. */
function isSubdomain(name: string): boolean {
  const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
  return name.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(name)
}

/** Bytes. */
const largestSpec = 64 * 1024

export const credentialSpecRefused = defineWorkloadRule({
  id: 'gmsa-spec-malformed',
  severity: 'error',
  summary: 'windowsOptions.gmsaCredentialSpec has text, of at most 64 KiB.',
  remedy: 'Delete it and set gmsaCredentialSpecName: the webhook of windows-gmsa fills it in.',
  see: validation,
  check: (workload) =>
    optionValues(workload, 'gmsaCredentialSpec').flatMap(({ value, path, subject }): Conflict[] => {
      if (typeof value !== 'string') return []
      const size = new TextEncoder().encode(value).length
      if (size === 0) return [{ path, message: `${subject} is empty; ${rejects}` }]
      return size > largestSpec
        ? [{ path, message: `${subject} is larger than 64 KiB; ${rejects}` }]
        : []
    }),
})

export const accountOfInitContainer = defineWorkloadRule({
  id: 'gmsa-of-init-container',
  severity: 'warning',
  harm: 'limits',
  summary: 'A gMSA is set in the pod or in its containers, not in init containers.',
  remedy: 'Set gmsaCredentialSpecName in the securityContext of the pod.',
  see: 'https://github.com/kubernetes-sigs/windows-gmsa/blob/v0.13.0/admission-webhook/webhook.go',
  check: (workload) =>
    optionValues(workload, 'gmsaCredentialSpecName')
      .filter(({ path }) => path.includes('initContainers'))
      .map(({ path, subject }) => ({
        path,
        message: `${subject} is not read by the gMSA webhook up to v0.13.0: the container has no credentials`,
      })),
})

export const nonRootAdministrator = defineWorkloadRule({
  id: 'administrator-with-run-as-non-root',
  severity: 'error',
  summary: 'A container with runAsNonRoot does not run as ContainerAdministrator.',
  remedy: 'Set runAsUserName: ContainerUser, or delete runAsNonRoot.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/kuberuntime/security_context_windows.go',
  check: (workload) =>
    workload.containers.flatMap((container) => {
      const user = securitySetting(workload, container, ['windowsOptions', 'runAsUserName'])
      return when(
        securitySetting(workload, container, ['runAsNonRoot']) === true &&
          typeof user === 'string' &&
          user.toLowerCase() === 'containeradministrator',
        securityPath(workload, container, ['runAsNonRoot']),
        `${container.title} runs as ContainerAdministrator and runAsNonRoot is true; the kubelet does not start it`,
      )
    }),
})

export const nonRootWithoutUser = defineWorkloadRule({
  id: 'run-as-non-root-without-user',
  severity: 'info',
  harm: 'exposes',
  summary: 'A container with runAsNonRoot has a runAsUserName.',
  remedy: 'Set runAsUserName: ContainerUser.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/kuberuntime/security_context_windows.go',
  check: (workload) =>
    workload.containers.flatMap((container) => {
      const setting = (...at: Path) => securitySetting(workload, container, at)
      return when(
        setting('runAsNonRoot') === true &&
          !isSet(setting('windowsOptions', 'runAsUserName')) &&
          setting('windowsOptions', 'hostProcess') !== true &&
          // Nano Server has the user ContainerUser.
          !textAt(container.spec, ['image']).includes('nanoserver'),
        securityPath(workload, container, ['runAsNonRoot']),
        `${container.title} has runAsNonRoot and no runAsUserName; the kubelet accepts an image without a user, which runs as ContainerAdministrator`,
      )
    }),
})
