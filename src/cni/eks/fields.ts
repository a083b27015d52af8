// Profile fields of EKS's Windows image.
import * as v from 'valibot'
import { group, open, text, whole } from '../../model/field.ts'
import { hostPattern, portPattern } from '../../net/host.ts'

const ipam = 'the defaults of the VPC resource controller'

export const eksFields = group(
  {
    clusterName: open(
      text(
        /^[0-9A-Za-z][\w-]{0,99}$/,
        'the name of an EKS cluster: letters, digits, dashes and underscores',
      ),
      {
        what: 'Name of the EKS cluster, for the bootstrap script of the image.',
        why: 'The node joins this cluster; the script reads its endpoint and CA with it.',
        when: 'with network.cni eks',
        example: 'prod',
      },
    ),
    endpoint: open(
      text(
        new RegExp(`^https://${hostPattern}(?::${portPattern})?$`),
        'an address such as https://0123456789abcdef.gr7.eu-west-1.eks.amazonaws.com',
      ),
      {
        what: 'API server endpoint of the cluster, as `aws eks describe-cluster` prints it.',
        why: 'With it and certificateAuthority, a node does not ask EKS for the cluster, which needs access to the API of EKS.',
        derived: 'on the node: EKS returns it for the name of the cluster',
        example: 'https://0123456789abcdef.gr7.eu-west-1.eks.amazonaws.com',
      },
    ),
    certificateAuthority: open(text(/^[A-Za-z0-9+/]+={0,2}$/, 'a certificate in base64'), {
      what: 'CA certificate of the cluster in base64, as `aws eks describe-cluster` prints it (certificateAuthority.data).',
      why: 'The bootstrap script reads it only together with endpoint. It is not a secret.',
      derived: 'on the node: EKS returns it for the name of the cluster',
      example: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==',
    }),
    prefixDelegation: open(v.boolean(), {
      what: 'Whether Windows nodes get prefixes of 16 addresses instead of single addresses (enable-windows-prefix-delegation).',
      why: 'A Windows node has one network interface, whose addresses limit its pods; with prefixes it has room for 16 times as many. It is for all Windows nodes of the cluster.',
      derived: ipam,
      example: true,
    }),
    warmIPTarget: open(whole(1, 1024), {
      what: 'Free addresses that each Windows node keeps (warm-ip-target).',
      why: 'More of them start pods faster, and take addresses from the subnet.',
      derived: ipam,
      example: 3,
    }),
    minimumIPTarget: open(whole(1, 1024), {
      what: 'Addresses that each Windows node has at least (minimum-ip-target).',
      why: 'A node starts with this number of addresses instead of requesting them pod by pod.',
      derived: ipam,
      example: 10,
    }),
    warmPrefixTarget: open(whole(1, 64), {
      what: 'Free prefixes that each Windows node keeps (warm-prefix-target).',
      why: 'It is read only with prefixDelegation.',
      derived: ipam,
      example: 1,
    }),
  },
  'Settings of EKS; used where network.cni is eks.',
)

declare module '../../model/plugin-settings.ts' {
  interface PluginFields {
    readonly eks: typeof eksFields
  }
  interface PluginSettings {
    readonly eks: EksSettings
  }
}

export type EksSettings = Readonly<v.InferOutput<typeof eksFields>>
