// Fields of the target capi: which cluster, which provider, and what only the owner of its machines knows.
import * as v from 'valibot'
import { field, group, httpsURL, open, passThrough, whole } from '../../model/field.ts'
import { capiVersions, providers } from '../../model/target-settings.ts'

const when = 'with `--for capi`'

const objectName = (most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'lower-case letters, digits and dashes'),
    v.maxLength(most, `at most ${most} characters`),
  )

export const capi = group(
  {
    provider: open(v.picklist(providers), {
      what: 'The infrastructure provider of Cluster API that makes the machines.',
      why: 'Each has a machine template of its own. Without it `--for capi` is refused.',
      when,
      example: 'vsphere',
    }),
    cluster: open(objectName(63), {
      what: 'The name of the Cluster that the machines join.',
      why: 'Machines of another Cluster are never made. Without it `--for capi` is refused.',
      when,
      example: 'production',
    }),
    bundleURL: open(httpsURL, {
      what: 'The address that serves the archive of `--for zip`, for machines whose image does not have the bundle.',
      why: 'With it a plain image of Windows will do: each machine fetches the archive, refuses what has another digest, installs, restarts where it must, and joins. No provider takes user data as large as a bundle. Whoever reaches the address reads the bundle, which holds no secret.',
      when,
      example: 'https://files.example.com/ws2022-web.zip',
    }),
    namespace: field(objectName(63), 'default', {
      what: 'The namespace of the Cluster.',
      why: 'Cluster API looks for templates and Secrets in the namespace of the Cluster alone.',
      when,
      example: 'clusters',
    }),
    apiVersion: field(v.picklist(capiVersions), 'v1beta2', {
      what: 'The version of Cluster API’s own objects.',
      why: 'v1beta2 is served from Cluster API 1.11 on; before it, v1beta1 is.',
      when,
      example: 'v1beta1',
    }),
    machine: field(
      passThrough,
      {},
      {
        what: 'Fields of the provider’s machine, such as its image and its size; they go over what follows from the profile.',
        why: 'What is a machine differs between providers: azure needs `vmSize` and `image`, vsphere `template` and `network`, aws `instanceType` and `ami`.',
        when,
        example: {
          template: 'ws2022-web',
          network: { devices: [{ networkName: 'VM Network', dhcp4: true }] },
        },
      },
    ),
    machineVersion: open(v.picklist(capiVersions), {
      what: 'The version of the provider’s machine template.',
      why: 'It need not be that of Cluster API’s own objects.',
      derived: 'v1beta1 for azure and vsphere, v1beta2 for aws',
      when,
      example: 'v1beta2',
    }),
    namePrefix: field(objectName(9), 'win', {
      what: 'What the names of machines begin with; a dash and five random letters follow.',
      why: 'Windows cuts names of more than 15 characters, and the vSphere provider refuses them.',
      when,
      example: 'web',
    }),
    replicas: field(whole(0, 1000), 1, {
      what: 'How many machines there are.',
      why: 'With `autoscaler` the number is the autoscaler’s.',
      when: 'with `--for capi`, and no `autoscaler`',
      example: 3,
    }),
    autoscaler: open(
      v.strictObject({
        min: v.pipe(whole(0, 1000), v.metadata({ what: 'The smallest number of machines.' })),
        max: v.pipe(whole(0, 1000), v.metadata({ what: 'The largest number of machines.' })),
      }),
      {
        what: 'Bounds for the cluster autoscaler.',
        why: 'With them the deployment also says what a node of this kind has for pods, which labels and which taints: the autoscaler can start the first one.',
        when,
        example: { min: 0, max: 5 },
      },
    ),
    startMinutes: field(whole(1, 240), 30, {
      what: 'Minutes within which a new machine must have become a node.',
      why: 'After them the health check replaces it. The first start of a Windows image takes several restarts.',
      when,
      example: 45,
    }),
  },
  'Machines of Cluster API.',
)
