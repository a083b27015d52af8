// Volumes of a pod, and where its containers mount them.
import { isList, isObject, type Json, type JsonObject, textAt, valueAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import { type Conflict, when } from '../../model/rule.ts'
import { itemsAt, namespaceOf } from '../manifest.ts'
import { isOnNfs } from '../nfs.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isSet, podOsName, type Workload } from '../workload.ts'

const storage = 'https://kubernetes.io/docs/concepts/storage/windows-storage/'
const podFields = 'https://kubernetes.io/docs/concepts/windows/intro/#compatibility-v1-pod'

interface Volume {
  readonly name: string
  readonly spec: JsonObject
  readonly path: Path
}

function volumesOf({ spec, path }: Workload): readonly Volume[] {
  return itemsAt(spec, ['volumes']).map(({ item, path: at }) => ({
    name: textAt(item, ['name']),
    spec: item,
    path: [...path, ...at],
  }))
}

interface Mount {
  readonly subject: string
  readonly spec: JsonObject
  readonly path: Path
}

function mountsOf({ containers }: Workload): readonly Mount[] {
  return containers.flatMap((container) =>
    itemsAt(container.spec, ['volumeMounts']).map(({ item, path }) => ({
      subject: `${container.title}: volume ${textAt(item, ['name'])}`,
      spec: item,
      path: [...container.path, ...path],
    })),
  )
}

export const blockDevice = defineWorkloadRule({
  id: 'block-device',
  severity: 'error',
  summary: 'Containers use no raw block devices.',
  remedy: 'Use volumeMode: Filesystem and a volumeMount.',
  see: podFields,
  check: ({ containers }) =>
    containers.flatMap(({ spec, path, title }) =>
      when(
        itemsAt(spec, ['volumeDevices']).length > 0,
        [...path, 'volumeDevices'],
        `${title}: volumeDevices is set; Windows cannot attach raw block devices to pods`,
      ),
    ),
})

const devices = ['BlockDevice', 'CharDevice']

export const hostPathDevice = defineWorkloadRule({
  id: 'host-path-device',
  severity: 'error',
  summary: 'No hostPath volume is a device.',
  remedy: 'Delete it; containers get devices from a device plugin, by resources.limits.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/volume/hostpath/host_path.go',
  check: (workload) =>
    volumesOf(workload).flatMap(({ name, spec, path }) => {
      const type = textAt(spec, ['hostPath', 'type'])
      return when(
        devices.includes(type),
        [...path, 'hostPath', 'type'],
        `volume ${name}: hostPath.type is ${type}; Windows has no device files, and the pod does not start`,
      )
    }),
})

export const imageVolume = defineWorkloadRule({
  id: 'image-volume',
  severity: 'warning',
  harm: 'breaks',
  summary: 'No volume is an image.',
  remedy:
    'Copy the files into the image of the container, or from an init container to an emptyDir.',
  see: 'https://github.com/containerd/containerd/issues/11903',
  check: (workload) =>
    volumesOf(workload).flatMap(({ name, spec, path }) =>
      when(
        isSet(spec['image']),
        [...path, 'image'],
        `volume ${name}: image is set; containerd does not support image volumes on Windows`,
      ),
    ),
})

/** The API server splits paths at / only. */
function hasHiddenBackstep(path: string): boolean {
  return path.split(/[\\/]/).includes('..') && !path.split('/').includes('..')
}

export const pathRefused = defineWorkloadRule({
  id: 'path-refused-by-kubelet',
  severity: 'error',
  summary: 'A hostPath or a subPath has no .. in it, and a subPath is relative.',
  remedy: 'Write the path without .. and, in a subPath, from the root of the volume.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/kubelet_pods.go',
  check: (workload) => [
    ...volumesOf(workload).flatMap(({ name, spec, path }) => {
      const hostPath = textAt(spec, ['hostPath', 'path'])
      return when(
        hasHiddenBackstep(hostPath),
        [...path, 'hostPath', 'path'],
        `volume ${name}: hostPath ${hostPath} has .., and the kubelet does not start the pod`,
      )
    }),
    ...mountsOf(workload).flatMap(({ subject, spec, path }) => {
      return ['subPath', 'subPathExpr'].flatMap((key) => {
        const subPath = textAt(spec, [key])
        const isAbsolute = /^(?:\\|[a-z]:[\\/])/i.test(subPath)
        return when(
          isAbsolute || hasHiddenBackstep(subPath),
          [...path, key],
          `${subject}: ${key} ${subPath} ${isAbsolute ? 'is absolute' : 'has ..'}, and the kubelet does not start the container`,
        )
      })
    }),
  ],
})

export const memoryVolume = defineWorkloadRule({
  id: 'volume-in-memory',
  severity: 'warning',
  harm: 'exposes',
  summary: 'An emptyDir has the default medium.',
  remedy: 'Delete medium, and do not rely on it for secrets.',
  see: storage,
  check: (workload) =>
    volumesOf(workload).flatMap(({ name, spec, path }) =>
      when(
        textAt(spec, ['emptyDir', 'medium']) === 'Memory',
        [...path, 'emptyDir', 'medium'],
        `volume ${name}: the medium Memory has no effect; the files are on the disk of the node`,
      ),
    ),
})

export const mediumRefused = defineWorkloadRule({
  id: 'volume-medium-refused',
  severity: 'error',
  summary: 'The kubelet can mount the medium of an emptyDir.',
  remedy: 'Delete medium.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/volume/emptydir/empty_dir.go',
  check: (workload) =>
    volumesOf(workload).flatMap(({ name, spec, path }) => {
      const medium = textAt(spec, ['emptyDir', 'medium'])
      return when(
        medium !== '' && medium !== 'Memory',
        [...path, 'emptyDir', 'medium'],
        `volume ${name}: the kubelet on Windows cannot mount the medium ${medium}, and does not start the pod`,
      )
    }),
})

/** Plugins of the kubelet that start programs of Linux, and look for devices in /dev. */
const linuxPlugins = ['iscsi', 'fc']

export const linuxVolume = defineWorkloadRule({
  id: 'volume-plugin-of-linux',
  severity: 'error',
  summary: 'No volume is of the type iscsi or fc.',
  remedy: 'Use a CSI driver that supports Windows.',
  see: `${storage}#in-tree-volume-plugins`,
  check: (workload) =>
    volumesOf(workload).flatMap(({ name, spec, path }) =>
      linuxPlugins.flatMap((type) =>
        when(
          isSet(spec[type]),
          [...path, type],
          `volume ${name}: the kubelet on Windows does not support the type ${type}`,
        ),
      ),
    ),
})

export const nfsVolume = defineWorkloadRule({
  id: 'volume-on-nfs',
  severity: 'error',
  summary: 'No volume is on NFS.',
  remedy: 'Use an SMB share, with the SMB CSI driver.',
  see: storage,
  check: (workload, { nfsClaims }) => {
    const { manifest } = workload
    const text = (name: string) =>
      `volume ${name} is on NFS, which Kubernetes does not support on Windows`
    const templates = itemsAt(manifest.value, ['spec', 'volumeClaimTemplates'])
    return [
      ...volumesOf(workload).flatMap(({ name, spec, path }) => {
        const claim = textAt(spec, ['persistentVolumeClaim', 'claimName'])
        const source = isOnNfs(spec)
          ? [isSet(spec['nfs']) ? 'nfs' : 'csi']
          : nfsClaims.has(namespaceOf(manifest), claim)
            ? ['persistentVolumeClaim', 'claimName']
            : nfsClaims.hasSpec(valueAt(spec, ephemeralClaim))
              ? ephemeralClaim
              : undefined
        return when(source !== undefined, [...path, ...(source ?? [])], text(name))
      }),
      ...templates.flatMap(({ item, path }) =>
        when(
          nfsClaims.hasSpec(item['spec']),
          [...path, 'spec'],
          text(textAt(item, ['metadata', 'name'])),
        ),
      ),
    ]
  },
})

const ephemeralClaim = ['ephemeral', 'volumeClaimTemplate', 'spec']

const secretSources = ['secret', 'projected'] as const

export const secretOnDisk = defineWorkloadRule({
  id: 'secret-on-disk',
  severity: 'info',
  harm: 'exposes',
  summary: 'Volumes with Secrets are on an encrypted disk.',
  remedy:
    'Encrypt the disk of the kubelet with BitLocker, and check it with host.encryption; winnode restricts the folder of the kubelet.',
  see: 'https://kubernetes.io/docs/concepts/security/windows-security/#protection-for-secret-data-on-nodes',
  check: (workload) => {
    const volumes = volumesOf(workload).filter(({ spec }) =>
      [spec, ...itemsAt(spec, ['projected', 'sources']).map(({ item }) => item)].some((one) =>
        isSet(one['secret']),
      ),
    )
    return volumes.map(({ name, spec, path }) => ({
      path: [...path, secretSources.find((source) => isSet(spec[source])) ?? 'secret'],
      message: `volume ${name}: the Secret is in clear text on the disk of the node`,
    }))
  },
})

/** The API server's default: 0644. */
const defaultMode = 0o644

export const fileMode = defineWorkloadRule({
  id: 'file-mode',
  severity: 'info',
  harm: 'limits',
  summary: 'Volumes set no file mode.',
  remedy: 'Delete it, and set access lists in the image if they matter.',
  see: storage,
  check: (workload) =>
    volumesOf(workload).flatMap(({ name, spec, path }) =>
      modesIn(spec, []).map((at) => ({
        path: [...path, ...at],
        message: `volume ${name}: ${String(at.at(-1))} has no effect; Windows has no file modes`,
      })),
    ),
})

/** `defaultMode` of a source, and `mode` of its items. */
function modesIn(value: Json | undefined, at: Path): readonly Path[] {
  if (isList(value)) return value.flatMap((one, index) => modesIn(one, [...at, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    ['defaultMode', 'mode'].includes(key) && typeof inner === 'number' && inner !== defaultMode
      ? [[...at, key]]
      : modesIn(inner, [...at, key]),
  )
}

export const mountPropagation = defineWorkloadRule({
  id: 'mount-propagation',
  severity: 'error',
  summary: 'volumeMounts set no mountPropagation but None.',
  remedy: 'Delete it.',
  see: podFields,
  check: (workload) =>
    mountsOf(workload).flatMap(({ subject, spec, path }): readonly Conflict[] => {
      const value = textAt(spec, ['mountPropagation'])
      if (value === '' || value === 'None') return []
      // Only privileged containers may, and a pod for Windows can have none.
      if (value === 'Bidirectional' && podOsName(workload) === 'windows')
        return [
          {
            path: [...path, 'mountPropagation'],
            message: `${subject}: mountPropagation is Bidirectional; the API server rejects the pod`,
          },
        ]
      return [
        {
          path: [...path, 'mountPropagation'],
          severity: 'warning',
          harm: 'limits',
          message: `${subject}: mountPropagation ${value} has no effect on Windows`,
        },
      ]
    }),
})

export const recursiveReadOnly = defineWorkloadRule({
  id: 'recursive-read-only',
  severity: 'error',
  summary: 'No volumeMount requires recursiveReadOnly.',
  remedy: 'Set recursiveReadOnly: IfPossible, or delete it.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/kubelet_pods.go',
  check: (workload) =>
    mountsOf(workload).flatMap(({ subject, spec, path }) =>
      when(
        textAt(spec, ['recursiveReadOnly']) === 'Enabled',
        [...path, 'recursiveReadOnly'],
        `${subject}: recursiveReadOnly is Enabled; containerd does not support it on Windows, and the container does not start`,
      ),
    ),
})

/** As Windows resolves it: case-insensitive, with one kind of separator, on drive C: by default. */
function folderOf(mountPath: string): string {
  const path = mountPath.replaceAll('/', '\\').replace(/\\+$/, '').toLowerCase()
  return /^[a-z]:/.test(path) || path.startsWith('\\\\') ? path : `c:${path}`
}

export const mountAtRoot = defineWorkloadRule({
  id: 'mount-at-root',
  severity: 'error',
  summary: 'No volume is mounted at the root of drive C:.',
  remedy: 'Mount it in a folder such as C:\\data, or as a separate drive such as D:.',
  see: 'https://learn.microsoft.com/en-us/virtualization/windowscontainers/manage-containers/persistent-storage',
  check: (workload) =>
    mountsOf(workload).flatMap(({ subject, spec, path }) => {
      const mountPath = textAt(spec, ['mountPath'])
      return when(
        mountPath !== '' && folderOf(mountPath) === 'c:',
        [...path, 'mountPath'],
        `${subject}: mountPath ${mountPath} is the root of drive C:, which the image fills`,
      )
    }),
})

export const mountsDifferInCase = defineWorkloadRule({
  id: 'mounts-differ-in-case',
  severity: 'warning',
  harm: 'breaks',
  summary: 'No two volumes are mounted in one folder.',
  remedy: 'Choose another mountPath for one of them.',
  see: 'https://learn.microsoft.com/en-us/windows/wsl/case-sensitivity',
  check: ({ containers }) =>
    containers.flatMap(({ spec, path, title }) => {
      const seen = new Map<string, string>()
      return itemsAt(spec, ['volumeMounts']).flatMap(({ item, path: at }) => {
        const mountPath = textAt(item, ['mountPath'])
        const before = seen.get(folderOf(mountPath))
        seen.set(folderOf(mountPath), mountPath)
        // The API server rejects two that are equal.
        return when(
          before !== undefined && before !== mountPath,
          [...path, ...at, 'mountPath'],
          `${title}: mountPaths ${before ?? ''} and ${mountPath} are one folder on Windows`,
        )
      })
    }),
})

export const resolvConf = defineWorkloadRule({
  id: 'resolv-conf-mounted',
  severity: 'warning',
  harm: 'limits',
  summary: 'No volume replaces resolv.conf.',
  remedy: 'Set dnsConfig of the pod.',
  see: 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/#networking',
  check: (workload) =>
    mountsOf(workload).flatMap(({ subject, spec, path }) =>
      when(
        /(?:^|[\\/])resolv\.conf$/i.test(textAt(spec, ['mountPath'])),
        [...path, 'mountPath'],
        `${subject}: resolv.conf has no effect; Windows keeps DNS settings in the registry`,
      ),
    ),
})
