// EKS: what the bootstrap script of its Windows image takes, and what it cannot take.
import type { Facts } from '../../model/facts.ts'
import { isList, isObject } from '../../model/json.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'
import { parseCidr } from '../../net/cidr.ts'
import { kubeletFlags, userDataBytes } from './arguments.ts'

const image = 'https://docs.aws.amazon.com/eks/latest/userguide/eks-optimized-windows-ami.html'
const support = 'https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html'
const controller =
  'https://github.com/aws/amazon-vpc-resource-controller-k8s/blob/main/pkg/config/loader.go'

const chosen = ({ spec }: Facts) => spec.network.cni === 'eks'

const needsName = defineRule({
  id: 'eks-needs-cluster-name',
  severity: 'error',
  summary: 'network.eks.clusterName is set with EKS.',
  remedy: 'Set network.eks.clusterName.',
  see: image,
  asks: ['network.eks.clusterName'],
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.network.eks.clusterName === undefined,
      ['network', 'eks', 'clusterName'],
      'the bootstrap script of EKS’s image needs the name of the cluster',
    ),
})

const endpointAndCa = defineRule({
  id: 'eks-endpoint-without-ca',
  severity: 'error',
  summary:
    'network.eks.endpoint and network.eks.certificateAuthority are set together, or neither is.',
  remedy: 'Set both, or remove both.',
  see: image,
  asks: ['network.eks.endpoint', 'network.eks.certificateAuthority'],
  check: (facts) => {
    const { endpoint, certificateAuthority: ca } = facts.spec.network.eks
    return when(
      chosen(facts) && (endpoint === undefined) !== (ca === undefined),
      ['network', 'eks', endpoint === undefined ? 'endpoint' : 'certificateAuthority'],
      'the bootstrap script takes the API server endpoint and the CA certificate only together',
    )
  },
})

const oneService = defineRule({
  id: 'eks-takes-one-ipv4-range',
  severity: 'error',
  summary: 'With EKS, there is one service CIDR and one cluster DNS address, both IPv4.',
  remedy: 'Keep the IPv4 value, and remove the others.',
  see: support,
  check: (facts) => {
    const { serviceCIDRs, clusterDNS } = facts.spec.network
    const fits = (list: readonly string[]) => list.length === 1 && !list[0]?.includes(':')
    return [
      ...when(
        chosen(facts) && !fits(serviceCIDRs) && parseCidr(serviceCIDRs[0] ?? '') !== undefined,
        ['network', 'serviceCIDRs'],
        `the bootstrap script takes one IPv4 service CIDR, and the profile has ${serviceCIDRs.join(', ')}`,
      ),
      ...when(
        chosen(facts) && !fits(clusterDNS),
        ['network', 'clusterDNS'],
        `the bootstrap script takes one IPv4 cluster DNS address, and the profile has ${clusterDNS.join(', ') || 'none'}`,
      ),
    ]
  },
})

const withoutFlag = defineRule({
  id: 'eks-kubelet-field-has-no-flag',
  severity: 'error',
  summary: 'With EKS, kubelet.config has only fields that a kubelet flag can set.',
  remedy: `Remove the field; use only ${Object.keys(kubeletFlags).join(', ')}.`,
  see: 'https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/options/options.go',
  check: (facts) =>
    Object.entries(facts.spec.kubelet.config).flatMap(([key, value]) =>
      when(
        chosen(facts) &&
          (kubeletFlags[key] === undefined || isObject(value) || isList(value) || value === null),
        ['kubelet', 'config', key],
        `EKS’s image takes kubelet settings only as arguments, and ${key} has no flag`,
      ),
    ),
})

/** What needs no quotes on any command line. */
const plain = /^[\w./:%+-]*$/

const argumentNotPlain = defineRule({
  id: 'eks-argument-not-plain',
  severity: 'error',
  summary: 'With EKS, values of kubelet arguments need no quotes.',
  remedy: 'Use only letters, digits and the characters ._/:%+- in the value.',
  see: 'https://github.com/awslabs/amazon-eks-ami/issues/847',
  check: (facts) => {
    const { reserve, kubelet } = facts.spec
    const groups = [
      { at: ['reserve', 'evictionHard'], values: reserve.evictionHard },
      { at: ['reserve', 'kube'], values: reserve.kube },
      { at: ['reserve', 'system'], values: reserve.system },
      { at: ['kubelet', 'config'], values: kubelet.config },
    ]
    return groups.flatMap(({ at, values }) =>
      Object.entries(values).flatMap(([key, value]) =>
        when(
          chosen(facts) && typeof value === 'string' && !(plain.test(key) && plain.test(value)),
          [...at, key],
          `${JSON.stringify(value)} needs quotes, which the bootstrap script of EKS’s image does not keep`,
        ),
      ),
    )
  },
})

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html */
const limit = 16_384

const tooLarge = defineRule({
  id: 'eks-user-data-too-large',
  severity: 'error',
  summary: 'With EKS, the kubelet arguments fit in the user data of an instance.',
  remedy: 'Remove labels: kubectl, or the labels of the node group, can set them later.',
  see: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html',
  check: (facts) => {
    if (!chosen(facts)) return []
    const bytes = userDataBytes(facts)
    return when(
      bytes > limit,
      ['kubelet', 'labels'],
      `the user data would have up to ${bytes} bytes; EC2 accepts ${limit}`,
    )
  },
})

const prefixTarget = defineRule({
  id: 'eks-prefix-target-without-prefixes',
  severity: 'error',
  summary: 'network.eks.warmPrefixTarget is set only with prefixDelegation.',
  remedy: 'Set network.eks.prefixDelegation to true, or remove network.eks.warmPrefixTarget.',
  see: controller,
  check: (facts) => {
    const { prefixDelegation, warmPrefixTarget } = facts.spec.network.eks
    return when(
      chosen(facts) && warmPrefixTarget !== undefined && prefixDelegation !== true,
      ['network', 'eks', 'warmPrefixTarget'],
      'the VPC resource controller reads warm-prefix-target only with prefix delegation',
    )
  },
})

export const eksRules: readonly Rule[] = [
  needsName,
  endpointAndCa,
  oneService,
  withoutFlag,
  argumentNotPlain,
  tooLarge,
  prefixTarget,
]
