// The SMB CSI driver: whether a node can reach the shares of its sources.
import { smbServerOf } from '../../addons/smb-csi.ts'
import { defineRule, when } from '../../model/rule.ts'

const sources = ['cluster', 'smbCsi', 'sources']

export const smbServerInCluster = defineRule({
  id: 'smb-server-in-cluster-domain',
  severity: 'error',
  summary: 'The node can resolve the SMB servers of cluster.smbCsi.sources.',
  remedy: 'Use a name in the DNS of the nodes, or the address of the server.',
  see: 'https://github.com/kubernetes-csi/csi-driver-smb/blob/v1.20.3/deploy/example/storageclass-smb.yaml',
  check: ({ spec: { cluster, network } }) =>
    cluster.smbCsi.sources.flatMap(({ source }, at) => {
      const server = smbServerOf(source).replace(/\.$/, '')
      return when(
        cluster.smbCsi.enabled &&
          (server.endsWith(`.${network.clusterDomain}`) || server.endsWith('.svc')),
        [...sources, at, 'source'],
        `${server} is a name in the DNS of the cluster; Windows mounts the share on the node, which does not use that DNS`,
      )
    }),
})

export const smbServerTwoSecrets = defineRule({
  id: 'smb-server-with-two-secrets',
  severity: 'warning',
  harm: 'breaks',
  summary: 'All sources on one SMB server have the same Secret.',
  remedy: 'Use one Secret for each server, with an account that may use all of its shares.',
  see: 'https://github.com/kubernetes-csi/csi-driver-smb/issues/219',
  check: ({ spec: { cluster } }) => {
    if (!cluster.smbCsi.enabled) return []
    const first = new Map<string, string>()
    return cluster.smbCsi.sources.flatMap(({ source, secret, secretNamespace }, at) => {
      const server = smbServerOf(source)
      const used = `${secretNamespace}/${secret}`
      const known = first.get(server) ?? used
      first.set(server, known)
      return when(
        known !== used,
        [...sources, at, 'secret'],
        `${server} has the Secrets ${known} and ${used}: Windows connects to a server as one user, and a second one fails with error 1219`,
      )
    })
  },
})

export const smbShareWithinShare = defineRule({
  id: 'smb-source-within-another',
  severity: 'warning',
  harm: 'breaks',
  summary: 'No source is a folder of another source.',
  remedy: 'Use the source of the share, and subPath in the pods; or two shares.',
  see: 'https://github.com/kubernetes-csi/csi-driver-smb/issues/219',
  check: ({ spec: { cluster } }) => {
    if (!cluster.smbCsi.enabled) return []
    const all = cluster.smbCsi.sources.map(({ source }) => source.toLowerCase())
    return all.flatMap((source, at) => {
      const outer = all.find((one) => source.startsWith(`${one}/`))
      return when(
        outer !== undefined,
        [...sources, at, 'source'],
        `${source} is a folder of ${outer}: Windows connects to each, and the second connection can fail with error 1219`,
      )
    })
  },
})
