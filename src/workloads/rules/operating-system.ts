// The OS of a pod: os.name, which the API server checks, and the labels that the scheduler reads.
import { hasTrait } from '../../matrix/traits.ts'
import { textAt } from '../../model/json.ts'
import { when } from '../../model/rule.ts'
import { itemsAt } from '../manifest.ts'
import { classOf } from '../node.ts'
import { linuxSigns } from '../linux-signs.ts'
import { defineAstrayRule, defineWorkloadRule } from '../rule.ts'
import { hasNodeName, osLabel, ownLabels, runtimeClassName, selectedOs } from '../scheduling.ts'
import { hasWindowsImage, targetOf } from '../windows.ts'
import { hasWindowsOptions, podOsName } from '../workload.ts'

const pods = 'https://kubernetes.io/docs/concepts/workloads/pods/#pod-os'
const userGuide = 'https://kubernetes.io/docs/concepts/windows/user-guide/'

export const osNameRefused = defineWorkloadRule({
  id: 'os-name-unknown',
  severity: 'error',
  summary: 'os.name is linux or windows, in lower case.',
  remedy: 'Write os.name: windows.',
  see: pods,
  check: (workload) => {
    const os = podOsName(workload)
    const isKnown = os === undefined || ['linux', 'windows'].includes(os)
    const name = textAt(workload.spec, ['os', 'name'])
    return when(
      !isKnown,
      [...workload.path, 'os', 'name'],
      name === ''
        ? 'os has no name; the API server rejects the pod'
        : `os.name is "${name}"; the API server rejects the pod`,
    )
  },
})

export const osNameMissing = defineWorkloadRule({
  id: 'os-name-missing',
  severity: 'warning',
  harm: 'limits',
  summary: 'A pod for Windows sets os.name.',
  remedy: 'Set os.name: windows.',
  see: pods,
  check: (workload, around) =>
    when(
      podOsName(workload) === undefined && targetOf(workload, around) === 'windows',
      [...workload.path, 'os'],
      'os.name is not set; the API server accepts fields that have no effect on Windows',
    ),
})

export const windowsOptionsOnLinux = defineWorkloadRule({
  id: 'windows-options-on-linux',
  severity: 'error',
  summary: 'A pod with os.name: linux has no windowsOptions.',
  remedy: 'Set os.name: windows, or delete windowsOptions.',
  see: pods,
  check: (workload) =>
    when(
      podOsName(workload) === 'linux' && hasWindowsOptions(workload),
      [...workload.path, 'os', 'name'],
      'os.name is linux and windowsOptions is set; the API server rejects the pod',
    ),
})

const eitherOs = `Add the nodeSelector ${osLabel}: windows and os.name: windows, or for Linux the nodeSelector ${osLabel}: linux.`

export const osNotSelected = defineWorkloadRule({
  id: 'os-not-selected',
  severity: 'error',
  summary: 'A pod for Windows selects nodes with Windows.',
  remedy: `Add the nodeSelector ${osLabel}: windows, or a runtimeClassName that has it.`,
  see: userGuide,
  check: (workload, around) => {
    const { runtimeClasses } = around
    const selected = selectedOs(workload)
    const isUndecided = targetOf(workload, around) === 'undecided'
    const name = runtimeClassName(workload)
    const runtimeClass = classOf(workload, runtimeClasses)
    if (hasNodeName(workload) || runtimeClass?.nodeSelector[osLabel] === 'windows') return []
    const isEither = selected?.includes('windows') === true && selected.length > 1
    const isForWindows = podOsName(workload) === 'windows'
    if (isEither && (isForWindows || hasWindowsImage(workload, around))) {
      const reason = isForWindows
        ? 'the scheduler does not read os.name'
        : 'an image has only builds for Windows'
      const effect = isForWindows
        ? 'and can choose one that is not for Windows'
        : 'and another node can be chosen'
      const message = `nodes with ${selected.join(' or ')} are selected; ${reason}, ${effect}`
      return [{ path: [...workload.path, 'affinity'], message }]
    }
    const others = ownLabels(workload)
    if (selected || others.includes('kubernetes.io/hostname')) return []
    const isUnknown = name !== '' && !runtimeClass
    // Pools of a cloud provider add separate labels, such as the edition of Windows.
    if (!isUnknown && others.length > 0)
      return [
        {
          path: [...workload.path, 'nodeSelector'],
          ...(isUndecided && { remedy: eitherOs }),
          severity: 'warning',
          harm: 'breaks',
          message: `no nodeSelector names the OS; a Linux node with the label ${others.join(' and ')} can be chosen, too`,
        },
      ]
    return [
      {
        path: [...workload.path, 'nodeSelector'],
        ...(isUndecided && { remedy: eitherOs }),
        ...(isUnknown && { severity: 'info', harm: 'limits' }),
        message: isUnknown
          ? `no nodeSelector names the OS, and RuntimeClass ${name} is in none of the files`
          : isUndecided
            ? 'no nodeSelector names the OS; a Linux node and a Windows node of the profile can be chosen'
            : podOsName(workload) === undefined
              ? 'no nodeSelector names the OS; a Linux node can be chosen'
              : 'no nodeSelector names the OS; the scheduler does not read os.name, and can choose a Linux node',
      },
    ]
  },
})

export const linuxAstray = defineAstrayRule({
  id: 'linux-pod-on-windows-node',
  severity: 'error',
  summary: 'A pod for Linux cannot be scheduled on the Windows nodes of the profile.',
  remedy: `Add the nodeSelector ${osLabel}: linux.`,
  see: userGuide,
  check: (workload, around) => {
    const signs = linuxSigns(workload, around)
    const named = signs.length > 3 ? [...signs.slice(0, 2), `${signs.length - 2} more`] : signs
    return [
      {
        path: [...workload.path, 'nodeSelector'],
        message: `no nodeSelector names the OS; the pods are for Linux (${named.join(', ')}), and a Windows node of the profile can be chosen`,
      },
    ]
  },
})

export const osContradicts = defineWorkloadRule({
  id: 'os-contradicts-selector',
  severity: 'error',
  summary: 'os.name and the selected nodes have the same OS.',
  remedy: `Set the nodeSelector ${osLabel} to the value of os.name.`,
  see: pods,
  check: (workload) => {
    const os = podOsName(workload)
    const selected = selectedOs(workload)
    return when(
      os !== undefined &&
        os !== '' &&
        selected !== undefined &&
        !selected.includes(os.toLowerCase()),
      [...workload.path, 'os', 'name'],
      `os.name is ${os}, and only nodes with ${selected?.join(' or ') ?? ''} are selected; the kubelet rejects the pod`,
    )
  },
})

export const variableNameRefused = defineWorkloadRule({
  id: 'variable-name-refused',
  severity: 'error',
  summary: 'The API server accepts the names of environment variables.',
  remedy: 'Use letters, digits and the characters - _ . only, or upgrade the control plane.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go',
  check: ({ containers }, { apiServer }) =>
    containers.flatMap(({ spec, path, title }) =>
      itemsAt(spec, ['env']).flatMap(({ item, path: at }) => {
        const name = textAt(item, ['name'])
        // IsRelaxedEnvVarName, and IsEnvVarName with hasChDirPrefix.
        const isEverRefused = !/^[ -<>-~]*$/.test(name)
        const isRefused =
          isEverRefused ||
          (!hasTrait('apiserver-any-variable-name', apiServer) &&
            (!/^[-._a-z][-._a-z0-9]*$/i.test(name) || /^\.(?:\.|$)/.test(name)))
        if (name === '' || !isRefused) return []
        const message = `${title}: API server ${apiServer} does not accept the variable name ${name}, and rejects the pod`
        const remedy = 'Use printable ASCII characters other than =.'
        return [{ path: [...path, ...at, 'name'], message, ...(isEverRefused && { remedy }) }]
      }),
    ),
})
