// Fields of how the node joins its cluster; none of them holds a secret.
import * as v from 'valibot'
import { field, group, hostPort, nodePath, open } from './kinds.ts'

export const join = group(
  {
    method: field(v.picklist(['kubeadm', 'bootstrapKubeconfig']), 'kubeadm', {
      what: 'Who makes the node a member: kubeadm, or the kubelet with a bootstrap kubeconfig.',
    }),
    endpoint: open(hostPort, {
      what: 'The API server, as the node reaches it.',
      why: 'Without it the discovery file on the node says where the API server is, and one bundle serves every cluster.',
      example: 'api.example.com:6443',
    }),
    discoveryFile: open(nodePath, {
      what: 'A kubeconfig on the node that names the API server and its CA.',
      derived: 'C:\\etc\\kubernetes\\discovery.conf where no endpoint is given',
      example: 'C:\\etc\\kubernetes\\discovery.conf',
    }),
    caCertHashes: field(
      v.array(
        v.pipe(
          v.string(),
          v.regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 lower-case hex digits'),
        ),
      ),
      [],
      {
        what: 'Digests of the public keys that the cluster’s CA may have.',
        why: 'kubeadm trusts what it finds at the endpoint only if it has one of them.',
      },
    ),
    ca: open(
      v.pipe(
        v.string(),
        v.regex(
          /^-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----\s*$/,
          'one certificate in PEM form',
        ),
      ),
      {
        what: 'The cluster’s CA certificate; it is not a secret.',
        why: 'A join without kubeadm, and kubeconfigs that winnode writes, need the certificate itself.',
      },
    ),
    tokenFile: open(nodePath, {
      what: 'A file on the node that holds the bootstrap token.',
      why: 'Without it Join-WinNode.ps1 takes the token from a parameter or from WINNODE_TOKEN.',
      example: 'C:\\etc\\kubernetes\\bootstrap-token',
    }),
  },
  'How the node joins its cluster.',
)
