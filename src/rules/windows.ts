// The Windows release and patch level, the size of the machine, and Hyper-V isolation.
import { badRevisions, largestMachine, windowsReleases, windowsStatus } from '../matrix/windows.ts'
import { defineRule, when } from '../model/rule.ts'

const see = 'https://kubernetes.io/docs/concepts/windows/intro/#windows-os-version-support'
const release = ['windows', 'release'] as const

export const releaseUnsupported = defineRule({
  id: 'windows-release-unsupported',
  severity: 'error',
  summary: 'The Windows release is supported by the Kubernetes version.',
  remedy: 'Use Windows Server 2022 or 2025.',
  see,
  check: ({ spec, windows }) => {
    const row = windowsStatus(windows, spec.kubernetes.version)
    const kubernetes = row?.range === '*' ? 'Kubernetes' : `Kubernetes ${spec.kubernetes.version}`
    const message = `${windows.name} is not supported by ${kubernetes}: ${row?.why ?? 'unknown combination'}`
    return when(row === undefined || row.status === 'unsupported', release, message)
  },
})

export const releaseUnlisted = defineRule({
  id: 'windows-release-unlisted',
  untested: true,
  severity: 'warning',
  harm: 'ages',
  summary: 'Kubernetes documents the Windows release for this version.',
  remedy: 'Use a documented combination, or test this one yourself.',
  see,
  check: ({ spec, windows }) => {
    const row = windowsStatus(windows, spec.kubernetes.version)
    const message = `Kubernetes ${spec.kubernetes.version} does not document ${windows.name}: ${row?.why ?? ''}`
    const documented = windowsReleases
      .filter((one) => windowsStatus(one, spec.kubernetes.version)?.status === 'supported')
      .map(({ name }) => name)
    const remedy = `Use machines with ${documented.join(' or ')}, or test this combination yourself.`
    return when(row?.status === 'unlisted', release, message, { remedy })
  },
})

/**
 * A new long-term release comes every two to three years, and a note before there is one changes nothing.
 * https://learn.microsoft.com/windows-server/get-started/servicing-channels-comparison
 */
const yearsToMove = 3

const yearsBefore = (years: number, day: string) =>
  `${Number(day.slice(0, 'YYYY'.length)) - years}${day.slice('YYYY'.length)}`

export const extendedSupport = defineRule({
  id: 'windows-in-extended-support',
  severity: 'info',
  harm: 'ages',
  summary:
    'The Windows release gets security updates for three more years, or is in mainstream support.',
  remedy: 'Plan an upgrade to a newer release.',
  see: 'https://learn.microsoft.com/lifecycle/products/',
  check: ({ windows, today }) =>
    when(
      today > windows.mainstreamEnd &&
        today > yearsBefore(yearsToMove, windows.extendedEnd) &&
        today <= windows.extendedEnd,
      release,
      `mainstream support of ${windows.name} ended on ${windows.mainstreamEnd}; security updates end on ${windows.extendedEnd}`,
    ),
})

export const windowsEnded = defineRule({
  id: 'windows-end-of-life',
  severity: 'warning',
  harm: 'ages',
  summary: 'The Windows release receives security updates.',
  remedy: 'Use a supported Windows release.',
  see: 'https://learn.microsoft.com/lifecycle/products/',
  check: ({ windows, today }) =>
    when(
      today > windows.extendedEnd,
      release,
      `${windows.name} has received no security updates since ${windows.extendedEnd}`,
    ),
})

export const revisionKnownToFail = defineRule({
  id: 'windows-revision-breaks-network',
  severity: 'error',
  severityVaries: true,
  summary: 'The Windows revision has no known network defect.',
  remedy: 'Install a newer cumulative update.',
  see: 'https://github.com/microsoft/Windows-Containers/issues/516',
  check: ({ spec, windows }) => {
    const { revision } = spec.windows
    if (revision === undefined) return []
    return badRevisions(windows, spec.network)
      .filter(({ from, below }) => from <= revision && revision < below)
      .map(({ effect, fix, see: source, sure }) => ({
        path: ['windows', 'revision'],
        severity: sure ? 'error' : 'warning',
        see: source,
        message: `${windows.name} revision ${revision} has a known defect: ${effect}; fixed by ${fix}`,
      }))
  },
})

export const overlayPatchLevel = defineRule({
  id: 'overlay-needs-patch-level',
  severity: 'error',
  severityVaries: true,
  summary: 'The Windows revision supports overlay networks.',
  remedy:
    'Install this update or a later one, and set windows.revision to the lowest revision of the machines.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies',
  check: ({ spec, windows: { name, overlay } }) => {
    const { revision } = spec.windows
    if (spec.network.mode !== 'overlay' || overlay === undefined) return []
    const fact = `${name} supports overlay networks from revision ${overlay.revision} (${overlay.update}) on`
    if (revision === undefined) {
      const message = `${fact}, and windows.revision is not set`
      return [{ path: release, severity: 'warning', see: overlay.see, message }]
    }
    if (revision >= overlay.revision) return []
    const message = `${fact}, and windows.revision is ${revision}`
    return [{ path: ['windows', 'revision'], see: overlay.see, message }]
  },
})

export const smallMachine = defineRule({
  id: 'machine-below-minimum',
  severity: 'warning',
  harm: 'limits',
  summary: 'The machine has at least 4 processors, 8 GiB of memory and 50 GiB of disk.',
  remedy: 'Use a larger machine.',
  see,
  check: ({ reservations: { capacity } }) => [
    ...when(
      capacity.cpu < 4000,
      ['machine', 'cpu'],
      `machine.cpu is ${capacity.cpu / 1000}, below the recommended minimum of 4`,
    ),
    ...when(
      capacity.memory < 8192,
      ['machine', 'memory'],
      `machine.memory is ${capacity.memory}Mi, below the recommended minimum of 8Gi`,
    ),
    ...when(
      capacity.ephemeralStorage < 51_200,
      ['machine', 'disk'],
      `machine.disk is ${capacity.ephemeralStorage}Mi, below the recommended minimum of 50Gi`,
    ),
  ],
})

export const impossibleMachine = defineRule({
  id: 'machine-above-maximum',
  severity: 'error',
  summary: 'machine.memory and machine.disk are within the limits of Windows Server.',
  remedy: 'Set the size of the smallest machine, such as 16Gi of memory and 100Gi of disk.',
  see: 'https://learn.microsoft.com/en-us/windows-server/get-started/editions-comparison',
  check: ({ spec: { machine }, reservations: { capacity } }) => [
    ...when(
      capacity.memory > largestMachine.memory,
      ['machine', 'memory'],
      `machine.memory ${machine.memory} is above the Windows Server maximum of 4Pi`,
    ),
    ...when(
      capacity.ephemeralStorage > largestMachine.disk,
      ['machine', 'disk'],
      `machine.disk ${machine.disk} is above the NTFS maximum of 8Pi`,
      { see: 'https://learn.microsoft.com/en-us/windows-server/storage/file-server/ntfs-overview' },
    ),
  ],
})

export const hyperVUnsupported = defineRule({
  id: 'hyper-v-not-documented',
  severity: 'warning',
  harm: 'ages',
  summary: 'Pods use process isolation.',
  remedy: 'Set isolation.hyperV to false.',
  see: 'https://kubernetes.io/docs/concepts/windows/intro/',
  check: ({ spec }) =>
    when(
      spec.isolation.hyperV,
      ['isolation', 'hyperV'],
      'isolation.hyperV is true, but Kubernetes does not document Hyper-V isolation',
    ),
})

export const hyperVNeedsMachine = defineRule({
  id: 'hyper-v-needs-larger-machine',
  severity: 'error',
  summary: 'A machine with Hyper-V isolation has at least 4 GiB of memory and 2 processors.',
  remedy: 'Use a larger machine, or process isolation.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/system-requirements',
  check: ({ spec, reservations: { capacity } }) =>
    when(
      spec.isolation.hyperV && (capacity.memory < 4096 || capacity.cpu < 2000),
      ['isolation', 'hyperV'],
      'the machine is too small for Hyper-V isolation: utility VMs need 4 GiB of memory and 2 processors',
    ),
})
