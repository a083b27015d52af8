// Fields of what is kept from pods, and of the machine that it is computed for.
import * as v from 'valibot'
import { sizingModels } from '../../sizing/models.ts'
import { field, group, open, quantity, whole } from '../../model/field.ts'

const derived = 'what reserve.model computes for the machine'

const amounts = (whose: string) =>
  group(
    {
      cpu: open(quantity, { what: `CPU kept for ${whose}.`, derived, example: '200m' }),
      memory: open(quantity, { what: `Memory kept for ${whose}.`, derived, example: '2Gi' }),
      ephemeralStorage: open(quantity, {
        what: `Disk kept for ${whose}.`,
        derived,
        example: '1Gi',
      }),
      pid: open(quantity, {
        what: `Process IDs kept for ${whose}.`,
        why: 'The kubelet takes it and enforces nothing of it on Windows.',
        example: '1000',
      }),
    },
    `Amounts kept for ${whose}; each wins over the model.`,
  )

export const reserve = group(
  {
    model: field(v.picklist(sizingModels.map(({ id }) => id)), 'winnode', {
      what: 'The model that fills the amounts left open.',
      why: 'Nothing on Windows enforces a reservation: it only lowers what the scheduler gives away. Without one Windows itself runs out of memory.',
      example: 'aks',
    }),
    kube: amounts('the kubelet and containerd'),
    system: amounts('Windows and its services'),
    evictionHard: field(
      v.record(v.string(), v.string()),
      {},
      {
        what: 'Thresholds below which the kubelet evicts pods; each signal that is named wins over its default.',
        derived: 'memory.available 500Mi and nodefs.available 10%',
        why: 'Only the two signals of the default work on Windows. The kubelet turns off what its file does not name, so winnode always writes both. There is no OOM killer: without memory.available a full node fails as a whole.',
        example: { 'memory.available': '1Gi', 'nodefs.available': '10%' },
      },
    ),
  },
  'What is kept from pods.',
)

export const machine = group(
  {
    cpu: field(whole(1, 2048), 4, {
      what: 'Logical processors of the smallest machine of its kind.',
      why: 'Reservations are computed from it, so on a smaller machine they take more than they should.',
      example: 8,
    }),
    memory: field(quantity, '16Gi', {
      what: 'Memory of the smallest machine of its kind.',
      why: 'What is left for pods is computed from it, and refused where nothing is.',
      example: '32Gi',
    }),
    disk: field(quantity, '100Gi', {
      what: 'Size of drive C:, where images, containers and logs lie.',
      why: 'Windows images take gigabytes each; winnode warns below 50Gi.',
      example: '200Gi',
    }),
    secureBoot: open(v.boolean(), {
      what: 'Whether the machine boots with Secure Boot.',
      why: 'A driver that is only test-signed does not load then.',
      example: true,
    }),
  },
  'The machine that the reservations are computed for.',
)
