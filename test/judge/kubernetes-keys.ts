// Keys of what every client of the API server reads, and of manifests.
import type { Keys } from './keys.ts'

const text = { type: 'string' } as const
const texts = { type: 'list of strings' } as const
const map = { type: 'object' } as const

/** https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/ */
export const kubeconfigKeys: Keys = {
  apiVersion: { ...text, values: ['v1'] },
  kind: { ...text, values: ['Config'] },
  clusters: { type: 'list of objects' },
  'clusters[].name': text,
  'clusters[].cluster': map,
  'clusters[].cluster.server': text,
  'clusters[].cluster.certificate-authority': text,
  users: { type: 'list of objects' },
  'users[].name': text,
  'users[].user': map,
  'users[].user.tokenFile': text,
  'users[].user.client-certificate': text,
  'users[].user.client-key': text,
  contexts: { type: 'list of objects' },
  'contexts[].name': text,
  'contexts[].context': map,
  'contexts[].context.cluster': text,
  'contexts[].context.user': text,
  'current-context': text,
}

/**
 * Version v1 came with 1.26.
 * https://kubernetes.io/docs/reference/config-api/kubelet-config.v1/
 */
export const credentialProviderKeys: Keys = {
  apiVersion: {
    ...text,
    values: ['kubelet.config.k8s.io/v1', 'kubelet.config.k8s.io/v1beta1'],
  },
  kind: { ...text, values: ['CredentialProviderConfig'] },
  providers: { type: 'list of objects' },
  'providers[].name': text,
  'providers[].apiVersion': {
    ...text,
    values: ['credentialprovider.kubelet.k8s.io/v1', 'credentialprovider.kubelet.k8s.io/v1beta1'],
  },
  'providers[].matchImages': texts,
  'providers[].defaultCacheDuration': { type: 'duration' },
  'providers[].args': texts,
  'providers[].env': { type: 'list of objects' },
  'providers[].env[].name': text,
  'providers[].env[].value': text,
}

const requiredAffinity = 'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution'

/** What `cluster/` may hold, with the keys of each kind. */
export const manifestKeys: Readonly<Record<string, Keys>> = {
  'v1 ServiceAccount': {},
  'v1 ConfigMap': { data: { type: 'map to strings' } },
  'apps/v1 DaemonSet': {
    spec: map,
    'spec.selector': map,
    'spec.selector.matchLabels': { type: 'map to strings' },
    'spec.template': map,
    'spec.template.metadata': map,
    'spec.template.metadata.labels': { type: 'map to strings' },
    'spec.template.spec': map,
    'spec.template.spec.serviceAccountName': text,
    'spec.template.spec.priorityClassName': text,
    'spec.template.spec.os': map,
    'spec.template.spec.os.name': { ...text, values: ['linux', 'windows'] },
    'spec.template.spec.hostNetwork': { type: 'boolean' },
    'spec.template.spec.securityContext': map,
    'spec.template.spec.securityContext.windowsOptions': map,
    'spec.template.spec.securityContext.windowsOptions.hostProcess': { type: 'boolean' },
    'spec.template.spec.securityContext.windowsOptions.runAsUserName': text,
    'spec.template.spec.nodeSelector': { type: 'map to strings' },
    'spec.template.spec.tolerations': { type: 'list of objects' },
    'spec.template.spec.tolerations[].operator': { ...text, values: ['Equal', 'Exists'] },
    'spec.template.spec.containers': { type: 'list of objects' },
    'spec.template.spec.containers[].name': text,
    'spec.template.spec.containers[].image': text,
    'spec.template.spec.containers[].command': texts,
    'spec.template.spec.containers[].env': { type: 'list of objects' },
    'spec.template.spec.containers[].env[].name': text,
    'spec.template.spec.containers[].env[].value': text,
    'spec.template.spec.containers[].env[].valueFrom': map,
    'spec.template.spec.containers[].env[].valueFrom.fieldRef': map,
    'spec.template.spec.containers[].env[].valueFrom.fieldRef.fieldPath': {
      ...text,
      values: ['spec.nodeName', 'status.hostIP'],
    },
    'spec.template.spec.containers[].volumeMounts': { type: 'list of objects' },
    'spec.template.spec.containers[].volumeMounts[].name': text,
    'spec.template.spec.containers[].volumeMounts[].mountPath': text,
    'spec.template.spec.volumes': { type: 'list of objects' },
    'spec.template.spec.volumes[].name': text,
    'spec.template.spec.volumes[].configMap': map,
    'spec.template.spec.volumes[].configMap.name': text,
  },
  'v1 Secret': { type: { ...text, values: ['kubernetes.io/service-account-token'] } },
  'rbac.authorization.k8s.io/v1 ClusterRole': {
    rules: { type: 'list of objects' },
    'rules[].apiGroups': texts,
    'rules[].resources': texts,
    'rules[].verbs': texts,
  },
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': {
    roleRef: { type: 'map to strings' },
    subjects: { type: 'list of objects' },
    'subjects[].apiGroup': text,
    'subjects[].kind': text,
    'subjects[].name': text,
    'subjects[].namespace': text,
  },
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy': {
    spec: map,
    'spec.failurePolicy': { ...text, values: ['Fail', 'Ignore'] },
    'spec.matchConstraints': map,
    'spec.matchConstraints.resourceRules': { type: 'list of objects' },
    'spec.matchConstraints.resourceRules[].apiGroups': texts,
    'spec.matchConstraints.resourceRules[].apiVersions': texts,
    'spec.matchConstraints.resourceRules[].operations': texts,
    'spec.matchConstraints.resourceRules[].resources': texts,
    'spec.matchConditions': { type: 'list of objects' },
    'spec.matchConditions[].name': text,
    'spec.matchConditions[].expression': text,
    'spec.variables': { type: 'list of objects' },
    'spec.variables[].name': text,
    'spec.variables[].expression': text,
    'spec.validations': { type: 'list of objects' },
    'spec.validations[].message': text,
    'spec.validations[].reason': {
      ...text,
      values: ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'],
    },
    'spec.validations[].expression': text,
  },
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding': {
    spec: map,
    'spec.policyName': text,
    'spec.validationActions': texts,
    'spec.matchResources': map,
    'spec.matchResources.namespaceSelector': map,
    'spec.matchResources.namespaceSelector.matchExpressions': { type: 'list of objects' },
    'spec.matchResources.namespaceSelector.matchExpressions[].key': text,
    'spec.matchResources.namespaceSelector.matchExpressions[].operator': {
      ...text,
      values: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
    },
    'spec.matchResources.namespaceSelector.matchExpressions[].values': texts,
  },
  'node.k8s.io/v1 RuntimeClass': {
    handler: { ...text, values: ['runhcs-wcow-process', 'runhcs-wcow-hypervisor'] },
    overhead: map,
    'overhead.podFixed': { type: 'map to quantities' },
    scheduling: map,
    'scheduling.nodeSelector': { type: 'map to strings' },
    'scheduling.tolerations': { type: 'list of objects' },
    'scheduling.tolerations[].key': text,
    'scheduling.tolerations[].operator': { ...text, values: ['Equal', 'Exists'] },
    'scheduling.tolerations[].value': text,
    'scheduling.tolerations[].effect': {
      ...text,
      values: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
    },
  },
}

/** Of a pod, those that an API server takes beside `os.name: windows` and that the smoke test sets. */
export const smokeKeys: Readonly<Record<string, Keys>> = {
  'v1 Namespace': {},
  'v1 Service': {
    spec: map,
    'spec.selector': { type: 'map to strings' },
    'spec.type': { ...text, values: ['ClusterIP', 'NodePort'] },
    'spec.clusterIP': { ...text, values: ['None'] },
    'spec.ports': { type: 'list of objects' },
    'spec.ports[].port': { type: 'integer' },
    'spec.ports[].targetPort': { type: 'integer' },
  },
  'v1 Pod': {
    spec: map,
    'spec.os': map,
    'spec.os.name': { ...text, values: ['linux', 'windows'] },
    'spec.nodeSelector': { type: 'map to strings' },
    'spec.affinity': map,
    'spec.affinity.nodeAffinity': map,
    [`spec.${requiredAffinity}`]: map,
    [`spec.${requiredAffinity}.nodeSelectorTerms`]: { type: 'list of objects' },
    [`spec.${requiredAffinity}.nodeSelectorTerms[].matchFields`]: { type: 'list of objects' },
    [`spec.${requiredAffinity}.nodeSelectorTerms[].matchFields[].key`]: {
      ...text,
      values: ['metadata.name'],
    },
    [`spec.${requiredAffinity}.nodeSelectorTerms[].matchFields[].operator`]: {
      ...text,
      values: ['In', 'NotIn'],
    },
    [`spec.${requiredAffinity}.nodeSelectorTerms[].matchFields[].values`]: texts,
    'spec.tolerations': { type: 'list of objects' },
    'spec.tolerations[].key': text,
    'spec.tolerations[].operator': { ...text, values: ['Equal', 'Exists'] },
    'spec.tolerations[].value': text,
    'spec.tolerations[].effect': {
      ...text,
      values: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
    },
    'spec.hostNetwork': { type: 'boolean' },
    'spec.securityContext': map,
    'spec.securityContext.windowsOptions': map,
    'spec.securityContext.windowsOptions.hostProcess': { type: 'boolean' },
    'spec.securityContext.windowsOptions.runAsUserName': text,
    'spec.restartPolicy': { ...text, values: ['Always', 'OnFailure', 'Never'] },
    'spec.terminationGracePeriodSeconds': { type: 'integer' },
    'spec.automountServiceAccountToken': { type: 'boolean' },
    'spec.enableServiceLinks': { type: 'boolean' },
    'spec.containers': { type: 'list of objects' },
    'spec.containers[].name': text,
    'spec.containers[].image': text,
    'spec.containers[].command': texts,
    'spec.containers[].args': texts,
    'spec.containers[].resources': map,
    'spec.containers[].resources.requests': { type: 'map to quantities' },
    'spec.containers[].resources.limits': { type: 'map to quantities' },
  },
}

export const metadataKeys: Keys = {
  apiVersion: text,
  kind: text,
  metadata: map,
  'metadata.name': text,
  'metadata.namespace': text,
  'metadata.annotations': { type: 'map to strings' },
  'metadata.labels': { type: 'map to strings' },
}
