// Fields of JoinConfiguration by version of its format.
// https://github.com/kubernetes/kubernetes/tree/master/cmd/kubeadm/app/apis/kubeadm
import type { FieldRow, Rows } from '../tables.ts'

type Fields = Readonly<Record<string, string>>

/** v1beta2, v1beta3 and v1beta4 alike; `?` marks pointers. */
const common: Fields = {
  apiVersion: 'string',
  kind: 'string',
  caCertPath: 'string',
  controlPlane: 'object?',
  'controlPlane.certificateKey': 'string',
  'controlPlane.localAPIEndpoint': 'object',
  'controlPlane.localAPIEndpoint.advertiseAddress': 'string',
  'controlPlane.localAPIEndpoint.bindPort': 'int32',
  discovery: 'object',
  'discovery.bootstrapToken': 'object?',
  'discovery.bootstrapToken.apiServerEndpoint': 'string',
  'discovery.bootstrapToken.caCertHashes': 'list of string',
  'discovery.bootstrapToken.token': 'string',
  'discovery.bootstrapToken.unsafeSkipCAVerification': 'bool',
  'discovery.file': 'object?',
  'discovery.file.kubeConfigPath': 'string',
  'discovery.tlsBootstrapToken': 'string',
  nodeRegistration: 'object',
  'nodeRegistration.criSocket': 'string',
  'nodeRegistration.ignorePreflightErrors': 'list of string',
  'nodeRegistration.name': 'string',
  'nodeRegistration.taints': 'list of objects',
  'nodeRegistration.taints[].effect': 'string',
  'nodeRegistration.taints[].key': 'string',
  'nodeRegistration.taints[].timeAdded': 'time?',
  'nodeRegistration.taints[].value': 'string',
}

const v1beta2: Fields = {
  ...common,
  'discovery.timeout': 'duration?',
  'nodeRegistration.kubeletExtraArgs': 'map of string to string',
}

const newer: Fields = {
  'nodeRegistration.imagePullPolicy': 'string',
  patches: 'object?',
  'patches.directory': 'string',
  skipPhases: 'list of string',
}

const timeouts = [
  'controlPlaneComponentHealthCheck',
  'discovery',
  'etcdAPICall',
  'kubeletHealthCheck',
  'kubernetesAPICall',
  'tlsBootstrap',
  'upgradeManifests',
]

const v1beta4: Fields = {
  ...common,
  ...newer,
  dryRun: 'bool',
  'nodeRegistration.imagePullSerial': 'bool?',
  'nodeRegistration.kubeletExtraArgs': 'list of objects',
  'nodeRegistration.kubeletExtraArgs[].name': 'string',
  'nodeRegistration.kubeletExtraArgs[].value': 'string',
  timeouts: 'object?',
  ...Object.fromEntries(timeouts.map((name) => [`timeouts.${name}`, 'duration?'])),
}

function rows(fields: Fields): Rows<FieldRow> {
  return new Map(
    Object.entries(fields).map(([path, type]) => [
      path,
      { minors: '-', type: type.replace('?', ''), nullable: type.endsWith('?') },
    ]),
  )
}

export interface Format {
  readonly fields: Rows<FieldRow>
  /** Minors of kubeadm that read it, and of those the first that warns of it. */
  readonly minors: string
  readonly deprecated?: string
}

export const formats: Readonly<Record<string, Format>> = {
  'kubeadm.k8s.io/v1beta2': { fields: rows(v1beta2), minors: '-1.26', deprecated: '1.22' },
  'kubeadm.k8s.io/v1beta3': {
    fields: rows({ ...v1beta2, ...newer }),
    minors: '-1.36',
    deprecated: '1.31',
  },
  'kubeadm.k8s.io/v1beta4': { fields: rows(v1beta4), minors: '1.31-' },
}
