// Fields about joining the cluster; none contains a secret.
import * as v from 'valibot'
import { field, group, hostPort, nodePath, open, text } from '../../model/field.ts'

export const join = group(
  {
    method: field(v.picklist(['kubeadm', 'bootstrapKubeconfig']), 'kubeadm', {
      what: 'How the node joins: with kubeadm, or with the kubelet’s TLS bootstrap (bootstrapKubeconfig).',
      why: 'kubeadm downloads the cluster’s CA; without kubeadm, join.ca must contain it. The bundle contains the complete kubelet configuration in both cases.',
      example: 'bootstrapKubeconfig',
    }),
    endpoint: open(hostPort, {
      what: 'API server endpoint for the node (host:port).',
      why: 'Without it, the discovery file on the node contains the endpoint, and one bundle can be used for all clusters with the same CIDRs.',
      example: 'api.example.com:6443',
    }),
    discoveryFile: open(nodePath, {
      what: 'Path on the node of a kubeconfig with the API server endpoint and CA.',
      why: 'Join does not start while the file is missing. kubeadm accepts an endpoint or this file, not both.',
      when: 'with join.method kubeadm',
      derived: 'C:\\etc\\kubernetes\\discovery.conf without join.endpoint',
      example: 'C:\\etc\\kubernetes\\discovery.conf',
    }),
    caCertHashes: field(
      v.array(text(/^[sS][hH][aA]256:[0-9A-Fa-f]{64}$/, 'sha256: and 64 hex digits')),
      [],
      {
        what: 'Accepted cluster CA public key hashes (`--discovery-token-ca-cert-hash` of kubeadm).',
        why: 'kubeadm uses them to verify the API server at the endpoint, so winnode requires at least one. `kubeadm token create --print-join-command` prints it.',
        when: 'with join.method kubeadm and an endpoint',
        example: [`sha256:${'0123456789abcdef'.repeat(4)}`],
      },
    ),
    ca: open(
      text(
        /^-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----\s*$/,
        'one certificate in PEM format',
      ),
      {
        what: 'The cluster’s CA certificate in PEM format; it is not a secret.',
        why: 'Without kubeadm, the bundle must contain it. A hash is not enough: the kubelet verifies client certificates with it.',
        when: 'with join.method bootstrapKubeconfig',
        example:
          '-----BEGIN CERTIFICATE-----\nMIIDBTCCAe2gAwIBAgIIExampleExample\n-----END CERTIFICATE-----\n',
      },
    ),
    tokenFile: open(nodePath, {
      what: 'Path on the node of a file with the bootstrap token.',
      why: 'Without it, Join-WinNode.ps1 takes the token from a parameter or from WINNODE_TOKEN. With it, Join does not start while the file is missing.',
      when: 'with join.method kubeadm',
      example: 'C:\\etc\\kubernetes\\bootstrap-token',
    }),
  },
  'How the node joins its cluster.',
)
