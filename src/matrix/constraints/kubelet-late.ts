// What the kubelet refuses only when it starts its parts, after it has taken its configuration.
import type { Constraint } from '../../model/constraint.ts'

const source = 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet'
const memory = `${source}/cm/memorymanager/memory_manager.go`
const affinity = { gate: 'WindowsCPUAndMemoryAffinity', on: true } as const

export const kubeletLate = (): readonly Constraint[] => [
  {
    path: 'address',
    form: 'IP address',
    when: { path: 'enableServer', is: true },
    late: 'its server listens on no other',
    see: `${source}/server/server.go`,
  },
  {
    path: 'configMapAndSecretChangeDetectionStrategy',
    oneOf: ['Get', 'Cache', 'Watch'],
    late: 'it has no manager of that kind',
    see: `${source}/kubelet.go`,
  },
  {
    path: 'containerLogMaxFiles',
    range: '<1.33',
    least: 2,
    late: 'the manager of container logs asks for it',
    see: `${source}/logs/container_log_manager.go`,
  },
  {
    path: 'cpuManagerPolicy',
    range: '>=1.32',
    oneOf: ['none', 'static'],
    when: affinity,
    late: 'the CPU manager has no other policy',
    see: `${source}/cm/cpumanager/cpu_manager.go`,
  },
  {
    path: 'memoryManagerPolicy',
    range: '>=1.32',
    oneOf: ['None', 'BestEffort'],
    when: affinity,
    late: 'the memory manager has no other policy on Windows',
    see: memory,
  },
  {
    path: 'memoryManagerPolicy',
    range: '>=1.32',
    needs: 'reservedMemory',
    when: { ...affinity, path: 'memoryManagerPolicy', is: 'BestEffort' },
    late: 'what is kept of memory must stand there by NUMA node',
    see: memory,
  },
]
