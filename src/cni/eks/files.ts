// The files of a bundle for EKS: the user data of an instance, a ConfigMap, and what the cluster and the node group need.
import type { Facts } from '../../model/facts.ts'
import type { Decision, PlannedFile } from '../../model/plan.ts'
import { explain } from '../../model/setting.ts'
import { decisionRow, pluginPart } from '../readme-part.ts'
import { parametersOf } from './arguments.ts'

const settings = explain(
  'https://github.com/aws/amazon-vpc-resource-controller-k8s/blob/main/pkg/config/loader.go',
  {
    apiVersion: 'API version of the object.',
    kind: 'A ConfigMap, which the VPC resource controller of the control plane reads.',
    'metadata.name': 'The name that the controller reads.',
    'metadata.namespace': 'The namespace that the controller reads.',
    'data.enable-windows-ipam':
      'Without it no pod of a Windows node gets an address. A value that is no boolean counts as off.',
    'data.enable-windows-prefix-delegation': {
      why: 'Whether Windows nodes get prefixes of 16 addresses.',
      field: 'network.eks.prefixDelegation',
    },
    'data.warm-ip-target': {
      why: 'Free addresses of each Windows node. A value that is no number counts as 0.',
      field: 'network.eks.warmIPTarget',
    },
    'data.minimum-ip-target': {
      why: 'Addresses that each Windows node has at least.',
      field: 'network.eks.minimumIPTarget',
    },
    'data.warm-prefix-target': {
      why: 'Free prefixes of each Windows node; read only with prefix delegation.',
      field: 'network.eks.warmPrefixTarget',
    },
  },
)

/** Values of the ConfigMap are texts; those that the profile leaves open are missing. */
export function ipamSettings({ spec }: Pick<Facts, 'spec'>): Readonly<Record<string, string>> {
  const { prefixDelegation, warmIPTarget, minimumIPTarget, warmPrefixTarget } = spec.network.eks
  const rows = {
    'enable-windows-ipam': true,
    'enable-windows-prefix-delegation': prefixDelegation,
    'warm-ip-target': warmIPTarget,
    'minimum-ip-target': minimumIPTarget,
    'warm-prefix-target': warmPrefixTarget,
  }
  return Object.fromEntries(
    Object.entries(rows).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  )
}

const configMap = 'cluster/linux-side/amazon-vpc-cni.json'

export function bundleFiles(
  facts: Facts,
  decisions: readonly Decision[],
  manifests: readonly PlannedFile[],
): readonly PlannedFile[] {
  const { spec, windows } = facts
  const files: readonly PlannedFile[] = [
    {
      id: 'user-data',
      path: 'user-data.txt',
      summary: 'The user data of an instance: calls the bootstrap script of EKS’s image.',
      body: {
        kind: 'template',
        template: 'cni/eks/user-data.txt.hbs',
        view: { parameters: parametersOf(facts).map((one) => ({ ...one })) },
      },
    },
    {
      id: 'cluster-eks-ipam',
      path: configMap,
      summary: 'The ConfigMap that gives pods of Windows nodes their addresses.',
      body: {
        kind: 'json',
        value: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'amazon-vpc-cni', namespace: 'kube-system' },
          data: ipamSettings(facts),
        },
      },
      settings,
    },
    {
      id: 'cluster-readme',
      path: 'cluster/README.md',
      summary: 'What the cluster needs before the first Windows node joins.',
      body: {
        kind: 'page',
        parts: [
          pluginPart('eks', 'cluster', {
            cluster: spec.network.eks.clusterName ?? '',
            configMap,
            user: 'system:node:{{EC2PrivateDNSName}}',
            hasManifests: manifests.length > 0,
          }),
        ],
      },
    },
    ...manifests,
  ]
  return [
    {
      id: 'readme',
      path: 'README.md',
      summary: 'What this bundle is for, and which node groups take it.',
      body: {
        kind: 'page',
        parts: [
          pluginPart('eks', 'readme', {
            name: spec.name,
            summary: spec.summary,
            windows: windows.name,
            minor: facts.kubernetes.minor,
            decisions: decisions.map(decisionRow),
            files: files.map(({ path, summary }) => ({ path, summary })),
          }),
        ],
      },
    },
    ...files,
  ]
}
