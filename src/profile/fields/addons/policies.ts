// Fields of the admission policies for pods on Windows nodes.
import * as v from 'valibot'
import { field, group, objectName, open } from '../../../model/field.ts'

export const policies = group(
  {
    nodeSelector: field(v.boolean(), false, {
      what: 'Require the node selector `kubernetes.io/os: windows` of pods with `os.name: windows`.',
      why: 'The scheduler ignores `os.name`: without the selector it can place the pod on a Linux node, where the kubelet rejects it. See docs/around.md#policies.',
      example: true,
    }),
    hostProcessNamespaces: open(v.array(objectName(63)), {
      what: 'Namespaces that may run HostProcess pods; with an empty list, none may.',
      why: 'A HostProcess container is a process on the node, with its files and its network. Without the field, Pod Security alone decides. See docs/around.md#policies.',
      example: ['kube-system', 'monitoring'],
    }),
    action: field(v.picklist(['Deny', 'Warn']), 'Deny', {
      what: 'What a policy does with a pod that violates it: `Deny` rejects it, `Warn` warns the client and writes to the audit log.',
      why: 'A policy applies to the whole cluster: with `Warn` first, workloads that it would stop are found before they stop.',
      example: 'Warn',
    }),
  },
  'Admission policies for pods on Windows nodes; the API server must be 1.30 or newer.',
)
