// Fields of the CronJob that compares the cluster with the profile.
import * as v from 'valibot'
import { isSchedule } from '../../../go/schedule.ts'
import { field, group, labelKey, labelValue, objectName, open, text } from '../../../model/field.ts'
import { image } from '../../../model/image-field.ts'

/** A CronJob adds 11 characters to its name, of which a Job has 63. */
const ownConfigMap = v.pipe(
  objectName(52),
  v.check(
    (name) => name !== 'winnode-drift-kubeconfig',
    'a name that no ConfigMap of the bundle has',
  ),
)

export const drift = group(
  {
    image: open(image, {
      what: 'Image with winnode and kubectl for a CronJob in kube-system, which compares the cluster with the profile.',
      why: 'winnode publishes no image. Its Dockerfile is in `packaging/container`; add kubectl. See docs/nightly-drift.md#7-run-it-in-the-cluster.',
      example: 'registry.example.com/winnode:0.1.0',
    }),
    configMapName: field(ownConfigMap, 'winnode-drift', {
      what: 'ConfigMap in kube-system whose key node.yaml is the profile; the CronJob has the same name.',
      why: 'The CronJob reads the profile as it was written. Each pool of a cluster needs its own. Without the ConfigMap the pod does not start.',
      when: 'with cluster.drift.image',
      example: 'winnode-drift-gpu',
    }),
    schedule: field(
      v.pipe(
        text(/^(?:@[a-z]+|\S+(?: \S+){4})$/, 'a schedule of five fields, such as 0 3 * * *'),
        v.check(isSchedule, 'a schedule of five fields, such as 0 3 * * 0; Sunday is 0, not 7'),
      ),
      '0 3 * * *',
      {
        what: 'When the CronJob runs, in the time zone of kube-controller-manager.',
        why: 'Each run reads the Windows nodes, and the objects of the bundle.',
        when: 'with cluster.drift.image',
        example: '30 */6 * * *',
      },
    ),
    selector: field(
      v.record(labelKey, labelValue),
      {},
      {
        what: 'Labels of the nodes that are compared; without any, all Windows nodes.',
        why: 'In a cluster with several pools, the nodes of another pool differ from the profile.',
        when: 'with cluster.drift.image',
        example: { pool: 'web' },
      },
    ),
  },
  'A CronJob that compares the cluster with the profile.',
)
