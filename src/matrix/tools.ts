// Programs with versions of their own: the release of each that a profile gets.
import type { ToolRelease } from '../model/rows.ts'
import { nearestRow } from './nearest.ts'
import { minorOf } from './version.ts'

const checked = '2026-11-20'
const criTools = 'https://github.com/kubernetes-sigs/cri-tools/releases/tag/v'

function crictl(version: string): ToolRelease {
  return { version, see: `${criTools}${version}`, checked }
}

/** Oldest first; upstream asks for the minor of Kubernetes. */
export const crictlReleases: readonly [ToolRelease, ...ToolRelease[]] = [
  crictl('1.25.0'),
  crictl('1.26.1'),
  crictl('1.27.1'),
  crictl('1.28.0'),
  crictl('1.29.0'),
  crictl('1.30.1'),
  crictl('1.31.1'),
  crictl('1.32.0'),
  crictl('1.33.0'),
  crictl('1.34.0'),
  crictl('1.35.0'),
  crictl('1.36.0'),
  crictl('1.37.0'),
]

/** The newest of the minor of that Kubernetes, or of the nearest older one. */
export function crictlFor(kubernetes: string): ToolRelease {
  return nearestRow(crictlReleases, ({ version }) => minorOf(version) ?? version, kubernetes).row
}

export const tools = {
  'cni-plugins': {
    version: '1.9.1',
    see: 'https://github.com/containernetworking/plugins/releases/tag/v1.9.1',
    checked,
  },
  flanneld: {
    // Its publisher gives no digest, and that of 0.28.10 is not known.
    version: '0.28.9',
    newest: '0.28.10',
    see: 'https://github.com/flannel-io/flannel/releases/tag/v0.28.9',
    checked: '2026-11-23',
  },
  'flannel-cni': {
    version: '1.9.1-flannel3',
    see: 'https://github.com/flannel-io/flannel/blob/v0.28.9/Documentation/kube-flannel.yml',
    checked,
  },
  'hns-module': {
    version: '710cad6fc9025c86e04ef5daa6eb53f577802448',
    see: 'https://github.com/microsoft/SDN/commit/710cad6fc9025c86e04ef5daa6eb53f577802448',
    checked: '2026-11-24',
  },
  nssm: {
    version: '2.24-103-gdee49fc',
    see: 'https://github.com/projectcalico/calico/blob/v3.32.1/node/Makefile',
    checked,
  },
  'windows-exporter': {
    version: '0.31.8',
    see: 'https://github.com/prometheus-community/windows_exporter/releases/tag/v0.31.8',
    checked,
  },
} as const satisfies Readonly<Record<string, ToolRelease>>
