// Fields of resource reservations, and of the machine for which they are computed.
import * as v from 'valibot'
import { sizingModels } from '../../sizing/models.ts'
import { mebibytes } from '../../sizing/quantities.ts'
import { field, group, open, quantity, whole } from '../../model/field.ts'

const derived = 'computed by reserve.model'

const amounts = (whose: string) =>
  group(
    {
      cpu: open(quantity, { what: `CPU reserved for ${whose}.`, derived, example: '200m' }),
      memory: open(quantity, { what: `Memory reserved for ${whose}.`, derived, example: '2Gi' }),
      ephemeralStorage: open(quantity, {
        what: `Ephemeral storage reserved for ${whose}.`,
        derived,
        example: '1Gi',
      }),
      pid: open(quantity, {
        what: `Process IDs reserved for ${whose}.`,
        why: 'The kubelet accepts it but does not enforce it on Windows.',
        example: '1000',
      }),
    },
    `Resources reserved for ${whose}; each overrides the model.`,
  )

export const reserve = group(
  {
    model: field(v.picklist(sizingModels.map(({ id }) => id)), 'winnode', {
      what: 'Model that computes the reservations that are not set.',
      why: 'Windows does not enforce reservations: they only lower the allocatable resources. Without them, Windows itself runs out of memory.',
      example: 'aks',
    }),
    kube: amounts('the kubelet and containerd'),
    system: amounts('Windows and its services'),
    evictionHard: field(
      v.record(v.string(), v.string()),
      {},
      {
        what: 'Hard eviction thresholds of the kubelet; each signal overrides its default.',
        derived: 'memory.available 500Mi and nodefs.available 10%',
        why: 'On Windows only these two signals have an effect. The kubelet disables signals missing in its file, so winnode always writes both. Windows has no OOM killer: without memory.available, a node out of memory fails as a whole.',
        example: { 'memory.available': '1Gi', 'nodefs.available': '10%' },
      },
    ),
  },
  'Resource reservations (kubeReserved, systemReserved, evictionHard).',
)

/** Refuses 16, which is 16 bytes. */
const sizeOf = (what: string) =>
  v.pipe(
    quantity,
    v.check(
      (text) => (mebibytes(text, 'down') ?? 0) >= 1,
      `an amount of ${what} such as 32Gi, not of bytes`,
    ),
  )

export const machine = group(
  {
    cpu: field(whole(1, 2048), 4, {
      what: 'Logical processors of the smallest machine.',
      why: 'Reservations are computed from it; on a smaller machine they would be too large.',
      example: 8,
    }),
    memory: field(sizeOf('memory'), '16Gi', {
      what: 'Memory of the smallest machine.',
      why: 'Allocatable memory is computed from it, and must be above zero.',
      example: '32Gi',
    }),
    disk: field(sizeOf('a disk'), '100Gi', {
      what: 'Size of drive C:, which holds images, containers and logs.',
      why: 'Windows images are several gigabytes each; winnode warns below 50Gi.',
      example: '200Gi',
    }),
    secureBoot: open(v.boolean(), {
      what: 'Whether Secure Boot is enabled on the machine.',
      why: 'With Secure Boot, Windows does not load test-signed drivers.',
      example: true,
    }),
  },
  'The machine for which reservations are computed.',
)
