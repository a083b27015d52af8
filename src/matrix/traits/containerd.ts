// Behaviours of containerd on Windows that changed in some version.
import type { Trait, TraitId } from '../../model/trait.ts'

const checked = '2026-11-20'

function containerd(range: string, summary: string, see: string): Trait {
  return { of: 'containerd', range, summary, see, checked }
}

export const containerdTraits = {
  'containerd-cni-results-1': {
    ...containerd(
      '>=1.6',
      'Its libcni reads results of CNI 1.0.0; before, it has 0.8, which ends at 0.4.0.',
      'https://github.com/containerd/containerd/blob/release/1.5/go.mod',
    ),
    checked: '2026-11-22',
  },
  'containerd-reads-ipv6-names': {
    ...containerd(
      '>=1.7',
      'Names of images and registries may hold IPv6 addresses, and 255 characters behind the registry.',
      'https://github.com/distribution/reference/blob/main/regexp.go',
    ),
    checked: '2026-11-22',
  },
  'containerd-registry-folder': containerd(
    '>=1.5',
    'config_path takes mirrors from hosts.toml files.',
    'https://github.com/containerd/containerd/blob/main/docs/hosts.md',
  ),
  'containerd-stable-abi': containerd(
    '>=1.6.23 <1.7 || >=1.7.6',
    'Images of build 20348 and newer run on newer hosts.',
    'https://github.com/containerd/platforms/blob/main/platform_windows_compat.go',
  ),
  'containerd-newest-build-first': containerd(
    '>=2.1.6',
    'Of several fitting images it takes the newest build, not the highest revision.',
    'https://github.com/containerd/platforms/blob/main/platform_windows_compat.go',
  ),
  'containerd-handler-annotations': containerd(
    '>=1.7',
    'Its default handlers pass Microsoft’s annotations through.',
    'https://github.com/containerd/containerd/blob/main/internal/cri/config/config_windows.go',
  ),
  'containerd-config-v3': containerd(
    '>=2',
    'It reads version 3 of its configuration.',
    'https://github.com/containerd/containerd/blob/main/docs/containerd-2.0.md',
  ),
  'containerd-bin-dirs': containerd(
    '>=2.1',
    'CNI folders are the list bin_dirs; bin_dir is deprecated.',
    'https://github.com/containerd/containerd/blob/main/RELEASES.md',
  ),
  'containerd-cpu-affinity': containerd(
    '>=2.2',
    'It pins Windows containers to processors.',
    'https://github.com/kubernetes/enhancements/issues/4885',
  ),
  'containerd-system-roots': containerd(
    '>=2.3',
    'A mirror’s ca comes beside the roots of Windows; before, in their place.',
    'https://github.com/containerd/containerd/pull/13128',
  ),
  'containerd-strict-colons': {
    ...containerd(
      '>=2.3',
      'An address takes one colon in a host without brackets: its module is for Go 1.26.',
      'https://github.com/containerd/containerd/blob/v2.3.0/go.mod',
    ),
    checked: '2026-11-24',
  },
  'containerd-scrub-logs': {
    ...containerd(
      '>=1.7',
      'Its shim can keep environment variables of containers out of its log; few versions have that as their default.',
      'https://github.com/containerd/containerd/blob/v1.7.0/vendor/github.com/Microsoft/hcsshim/cmd/containerd-shim-runhcs-v1/options/runhcs.proto',
    ),
    checked: '2026-11-22',
  },
  'containerd-imports-agent-image': containerd(
    '>=1.6.18',
    'It imports the image of a network agent.',
    'https://github.com/antrea-io/antrea/blob/main/docs/windows.md',
  ),
} as const satisfies Readonly<Partial<Record<TraitId, Trait>>>
