// Fields of the images that nodes pull before a pod needs them.
import * as v from 'valibot'
import { field, group, subdomain } from '../../../model/field.ts'
import { image } from '../../../model/image-field.ts'

export const imagePull = group(
  {
    images: field(v.array(image), [], {
      what: 'Images that nodes with this Windows release pull before a pod needs them.',
      why: 'Windows images have gigabytes, and the first pod on a node waits for them. A DaemonSet starts a HostProcess container of each, which ends at once; with an empty list there is none. See docs/around.md#image-pull.',
      example: ['registry.example.com/web:1.4.2'],
    }),
    secrets: field(v.array(subdomain), [], {
      what: 'Secrets of type kubernetes.io/dockerconfigjson in kube-system with which the images are pulled.',
      why: 'A profile has only their names. Without them the kubelet uses its credential providers, or no credentials.',
      when: 'with cluster.imagePull.images',
      example: ['registry-example'],
    }),
  },
  'Images that the nodes pull before a pod needs them.',
)
