// Flags that the kubelet had once: each stops a newer one.
// https://github.com/kubernetes/kubernetes/tree/master/CHANGELOG
import type { CommandFlag } from '../model/config-rows.ts'

export const removedKubeletFlags: Readonly<Record<string, CommandFlag>> = {
  'azure-container-registry-config': {
    deprecated: '1.28',
    removed: '1.30',
    instead: 'use a credential provider',
  },
  'cloud-config': {
    deprecated: true,
    removed: '1.34',
    instead: 'run an external cloud controller',
  },
  'cni-bin-dir': { removed: '1.24', instead: 'set the CNI folders of containerd' },
  'cni-cache-dir': { removed: '1.24', instead: 'leave it out' },
  'cni-conf-dir': { removed: '1.24', instead: 'set the CNI folders of containerd' },
  'container-runtime': {
    deprecated: true,
    removed: '1.27',
    instead: 'leave it out; remote was its only value',
  },
  'docker-endpoint': { removed: '1.24', instead: 'leave it out' },
  'dynamic-config-dir': { removed: '1.25', instead: 'leave it out' },
  'experimental-check-node-capabilities-before-mount': { removed: '1.24', instead: 'leave it out' },
  'experimental-dockershim-root-directory': { removed: '1.24', instead: 'leave it out' },
  'experimental-kernel-memcg-notification': { removed: '1.25', field: 'kernelMemcgNotification' },
  'image-pull-progress-deadline': {
    removed: '1.24',
    instead: 'set image_pull_progress_timeout of containerd',
  },
  'iptables-drop-bit': { deprecated: '1.28', removed: '1.31', field: 'iptablesDropBit' },
  'iptables-masquerade-bit': {
    deprecated: '1.28',
    removed: '1.31',
    field: 'iptablesMasqueradeBit',
  },
  'keep-terminated-pod-volumes': { deprecated: true, removed: '1.31', instead: 'leave it out' },
  'master-service-namespace': { deprecated: true, removed: '1.27', instead: 'leave it out' },
  'network-plugin': { removed: '1.24', instead: 'leave it out; the runtime calls the CNI plugins' },
  'network-plugin-mtu': { removed: '1.24', instead: 'leave it out' },
  'non-masquerade-cidr': { removed: '1.24', instead: 'leave it out' },
  'pod-infra-container-image': {
    deprecated: true,
    removed: '1.35',
    instead: 'set the sandbox image of containerd',
  },
  'register-schedulable': { deprecated: true, removed: '1.34', instead: 'set registerWithTaints' },
  'seccomp-profile-root': { removed: '1.23', instead: 'leave it out' },
}
