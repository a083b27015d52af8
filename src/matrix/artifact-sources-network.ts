// Where the network plugins and their helpers are published.
import type { ArtifactSource } from '../model/artifact-source.ts'

const checked = '2026-11-20'

export const networkSources: readonly ArtifactSource[] = [
  {
    id: 'cni-plugins',
    summary:
      'Reference plugins: an archive of ./win-overlay.exe, ./win-bridge.exe, ./host-local.exe.',
    field: 'network.cniPlugins',
    base: 'github',
    path: 'containernetworking/plugins/releases/download/v{version}/cni-plugins-windows-amd64-v{version}.tgz',
    checksum: { kind: 'suffix', suffix: '.sha256', shape: 'named' },
    licence: 'Apache-2.0',
    see: 'https://github.com/containernetworking/plugins/blob/main/.github/workflows/release.yaml',
    checked,
  },
  {
    id: 'flanneld',
    summary: 'The daemon of flannel: one program, without a checksum of its publisher.',
    field: 'network.flannel.version',
    base: 'github',
    path: 'flannel-io/flannel/releases/download/v{version}/flanneld.exe',
    checksum: {
      kind: 'known',
      version: '0.28.9',
      sha256: '7d43b3de5635891e68b36458d912a94c2eb94e15d878d486f539309db5845861',
    },
    licence: 'Apache-2.0',
    see: 'https://github.com/rancher/rke2/blob/master/Dockerfile.windows',
    checked,
  },
  {
    id: 'flannel-cni',
    summary: 'flannel’s CNI plugin: an archive of flannel-amd64.exe.',
    field: 'network.flannel.cniPlugin',
    base: 'github',
    path: 'flannel-io/cni-plugin/releases/download/v{version}/cni-plugin-flannel-windows-amd64-v{version}.tgz',
    checksum: { kind: 'suffix', suffix: '.sha256', shape: 'named' },
    licence: 'Apache-2.0',
    see: 'https://github.com/flannel-io/cni-plugin/blob/main/scripts/package.sh',
    checked,
  },
  {
    id: 'microsoft-cni',
    summary: 'Microsoft’s plugins: an archive of nat.exe, sdnbridge.exe, sdnoverlay.exe.',
    base: 'github',
    path: 'microsoft/windows-container-networking/releases/download/v{version}/windows-container-networking-cni-amd64-v{version}.zip',
    // Its lines have a folder before the name of the file.
    checksum: { kind: 'suffix', suffix: '.sha256', shape: 'named' },
    licence: 'MIT',
    see: 'https://github.com/microsoft/windows-container-networking/releases',
    checked,
  },
  {
    id: 'calico',
    summary: 'Calico for Windows without its operator: an archive of CalicoWindows.',
    base: 'github',
    path: 'projectcalico/calico/releases/download/v{version}/calico-windows-v{version}.zip',
    checksum: {
      kind: 'release',
      path: 'projectcalico/calico/releases/download/v{version}/SHA256SUMS',
      shape: 'named',
    },
    licence: 'Apache-2.0',
    see: 'https://github.com/projectcalico/calico/blob/v3.32.1/node/Makefile',
    checked,
  },
  {
    id: 'hns-module',
    summary: 'Microsoft’s PowerShell module that creates host networks; its version is a commit.',
    base: 'github',
    path: 'microsoft/SDN/raw/{version}/Kubernetes/windows/hns.psm1',
    checksum: {
      kind: 'known',
      version: '710cad6fc9025c86e04ef5daa6eb53f577802448',
      sha256: 'a8a53ed4fac2e27c7e4268db069d4cf3129a56d466ef3bf9465fb52dcd76a29c',
    },
    licence: 'MIT',
    see: 'https://github.com/microsoft/SDN/blob/710cad6fc9025c86e04ef5daa6eb53f577802448/Kubernetes/windows/hns.psm1',
    checked,
  },
]
