// Fields of how the node joins its cluster; none of them holds a secret.
import * as v from 'valibot'
import { field, group, hostPort, nodePath, open } from '../../model/field.ts'

export const join = group(
  {
    method: field(v.picklist(['kubeadm', 'bootstrapKubeconfig']), 'kubeadm', {
      what: 'Who makes the node a member: kubeadm, or the kubelet with a bootstrap kubeconfig.',
      why: 'kubeadm brings the CA; without it the profile gives the CA. The kubelet’s whole configuration comes with the bundle either way.',
      example: 'bootstrapKubeconfig',
    }),
    endpoint: open(hostPort, {
      what: 'The API server as the node reaches it: host and port.',
      why: 'Without it the discovery file on the node says where the API server is, and one bundle serves every cluster with the same networks.',
      example: 'api.example.com:6443',
    }),
    discoveryFile: open(nodePath, {
      what: 'A kubeconfig on the node that names the API server and its CA.',
      why: 'Join refuses to start while the file is missing. kubeadm takes an endpoint or this file, never both.',
      when: 'with join.method kubeadm',
      derived: 'C:\\etc\\kubernetes\\discovery.conf where no endpoint is given',
      example: 'C:\\etc\\kubernetes\\discovery.conf',
    }),
    caCertHashes: field(
      v.array(
        v.pipe(
          v.string(),
          v.regex(/^[sS][hH][aA]256:[0-9A-Fa-f]{64}$/, 'sha256: and 64 hex digits'),
        ),
      ),
      [],
      {
        what: 'Digests of the public keys that the cluster’s CA may have.',
        why: 'kubeadm trusts what it finds at the endpoint only if it has one of them; without any it would trust whoever answers, so winnode refuses that.',
        when: 'with join.method kubeadm and an endpoint',
        example: [`sha256:${'0123456789abcdef'.repeat(4)}`],
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
        what: 'The cluster’s CA certificate in PEM form; it is not a secret.',
        why: 'Without kubeadm nobody else brings it to the node. A digest does not do: the kubelet checks certificates with it.',
        when: 'with join.method bootstrapKubeconfig',
        example:
          '-----BEGIN CERTIFICATE-----\nMIIDBTCCAe2gAwIBAgIIExampleExample\n-----END CERTIFICATE-----\n',
      },
    ),
    tokenFile: open(nodePath, {
      what: 'A file on the node that holds the bootstrap token.',
      why: 'Without it Join-WinNode.ps1 takes the token from a parameter or from WINNODE_TOKEN. With it Join refuses to start while the file is missing.',
      when: 'with join.method kubeadm',
      example: 'C:\\etc\\kubernetes\\bootstrap-token',
    }),
  },
  'How the node joins its cluster.',
)
