// Why each setting stands in the manifests for the cluster and in kubeconfigs.
import { explain } from '../../model/setting.ts'

const accounts = 'https://kubernetes.io/docs/reference/access-authn-authz/rbac/'
const tokens =
  'https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets'
const bootstrap =
  'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/'
const runtimeClasses = 'https://kubernetes.io/docs/concepts/containers/runtime-class/'

/** A service that runs on the node gets an identity of its own in the cluster. */
export const accountSettings = explain(accounts, {
  apiVersion: 'The format of the object.',
  kind: 'ServiceAccount, its permissions, and a Secret for its token.',
  'metadata.name': 'winnode and the component: nothing else of the cluster is touched.',
  'metadata.namespace': 'kube-system, with the other parts of the cluster.',
  'metadata.annotations."kubernetes.io/service-account.name"': [
    'Whose token Kubernetes puts into the Secret.',
    tokens,
  ],
  type: ['Kubernetes fills a Secret of this type with a token, and keeps it.', tokens],
  'roleRef.apiGroup': 'Roles are objects of RBAC.',
  'roleRef.kind':
    'The permissions are cluster-wide: nodes and services are in no namespace of ours.',
  'roleRef.name': 'What the component may do, and no more.',
  'subjects[].kind': 'Who gets it.',
  'subjects[].name': 'The account above.',
  'subjects[].namespace': 'And where it is.',
})

/** A machine that is no member yet belongs to the group of its token only. */
export const bootstrapSettings = explain(bootstrap, {
  apiVersion: 'The format of the object.',
  kind: 'Bindings to roles that Kubernetes has; no new permission is made.',
  'metadata.name': 'winnode and what is allowed.',
  'roleRef.apiGroup': 'Roles are objects of RBAC.',
  'roleRef.kind': 'Certificates are asked for in no namespace.',
  'roleRef.name': 'Asking for a certificate, and having the first and the later ones approved.',
  'subjects[].apiGroup': 'Groups are RBAC’s own.',
  'subjects[].kind': 'No account: a token or a certificate says which group one is of.',
  'subjects[].name':
    'Bearers of bootstrap tokens of winnode’s own group for the first certificate, nodes for the later.',
})

export const runtimeClassSettings = explain(runtimeClasses, {
  apiVersion: 'The format of the object.',
  kind: 'A RuntimeClass: pods name it, and land where they can run.',
  'metadata.name': 'After the Windows release, as in the Kubernetes documentation.',
  handler: 'The handler of containerd’s configuration.',
  'overhead.podFixed.cpu': 'What the utility VM of each pod takes beside the pod.',
  'overhead.podFixed.memory': 'So that the scheduler counts the VM too.',
  'scheduling.nodeSelector.*':
    'Windows, amd64 and exactly this build: images of another one may not start. A pod that asks for another node is refused.',
  'scheduling.tolerations[].key': 'The taint of these nodes, so that pods need not tolerate it.',
  'scheduling.tolerations[].operator': 'Key and value must both fit.',
  'scheduling.tolerations[].value': 'The value of the taint.',
  'scheduling.tolerations[].effect': 'The effect of the taint.',
})

/** For a component whose credentials are a token or a certificate in a file. */
export const kubeconfigSettings = explain(
  'https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/',
  {
    apiVersion: 'The format of the file.',
    kind: 'What the file is.',
    'clusters[].name': 'A name within the file.',
    'clusters[].cluster.server': 'The API server of the profile.',
    'clusters[].cluster.certificate-authority': 'The cluster’s CA, which the join brings.',
    'users[].name': 'The component.',
    'users[].user.tokenFile': 'The file that holds its token; read again when it changes.',
    'users[].user.client-certificate': 'Its certificate, a file on the node.',
    'users[].user.client-key': 'And the key, a file that only SYSTEM and Administrators open.',
    'contexts[].name': 'A name within the file.',
    'contexts[].context.cluster': 'Which cluster.',
    'contexts[].context.user': 'And who.',
    'current-context': 'The only one there is.',
  },
)
