// Fields of the target capi: the cluster, the provider, and settings of its machines.
import * as v from 'valibot'
import {
  field,
  group,
  httpsURL,
  json,
  objectName,
  open,
  passThrough,
  text,
  whole,
} from '../../model/field.ts'
import { capiKinds, capiVersions, providers } from '../../model/target-settings.ts'

const when = 'with `--for capi`'

export const capi = group(
  {
    provider: open(v.picklist(providers), {
      what: 'Cluster API infrastructure provider that creates the machines; other for one that winnode does not know, such as OpenStack or Nutanix.',
      why: 'Each provider has its own machine template. Required for `--for capi`.',
      when,
      example: 'vsphere',
    }),
    cluster: open(objectName(63), {
      what: 'Name of the Cluster object that the machines join.',
      why: 'Machines are created only for this Cluster. Required for `--for capi`.',
      when,
      example: 'production',
    }),
    kind: field(v.picklist(capiKinds), 'MachineDeployment', {
      what: 'Kind of the object that owns the machines.',
      why: 'A MachinePool leaves the machines to a scale set of azure or an Auto Scaling group of aws; vsphere has none. Cluster API replaces no unhealthy machine of a MachinePool.',
      when,
      example: 'MachinePool',
    }),
    clusterClass: open(objectName(253), {
      what: 'Name of the ClusterClass that gets a worker class with the name of the profile.',
      why: 'The Cluster must have this class. Instead of a MachineDeployment, the output contains entries of `spec.workers` of the class and of `spec.topology.workers` of the Cluster, for `kubectl apply --server-side`.',
      when,
      example: 'quick-start',
    }),
    bundleURL: open(httpsURL, {
      what: 'URL of the archive of `--for zip`, for machines whose image does not contain the bundle.',
      why: 'With it, a plain Windows image is enough: each machine downloads the archive, verifies its checksum, installs, restarts if needed, and joins. A bundle is too large for the user data of any provider. The archive is readable by all that can reach the URL; it contains no secret.',
      when,
      example: 'https://files.example.com/ws2022-web.zip',
    }),
    namespace: field(objectName(63), 'default', {
      what: 'Namespace of the Cluster object.',
      why: 'Cluster API looks for templates and Secrets only in the namespace of the Cluster.',
      when,
      example: 'clusters',
    }),
    apiVersion: field(v.picklist(capiVersions), 'v1beta2', {
      what: 'API version of Cluster API objects.',
      why: 'v1beta2 is served from Cluster API 1.11 on. v1beta1 is for 1.10: older versions do not have machineNamingStrategy.',
      when,
      example: 'v1beta1',
    }),
    machine: field(
      v.objectWithRest(
        {
          apiVersion: v.optional(
            text(
              /^[a-z0-9.-]+\/[a-z0-9]+$/,
              'GROUP/VERSION such as infrastructure.cluster.x-k8s.io/v1beta1',
            ),
          ),
          kind: v.optional(v.string()),
          spec: v.optional(passThrough),
        },
        json,
      ),
      {},
      {
        what: 'Fields of the provider’s machine, such as image and size; they override values from the profile.',
        why: 'Required fields differ by provider: azure needs `vmSize` and `image`, vsphere `template` and `network`, aws `instanceType` and `ami`; other needs `apiVersion` and `kind` of the machine template, and `spec` of its machines.',
        when,
        example: {
          template: 'ws2022-web',
          network: { devices: [{ networkName: 'VM Network', dhcp4: true }] },
        },
      },
    ),
    pool: field(
      passThrough,
      {},
      {
        what: 'Fields of the spec of the AzureMachinePool or AWSMachinePool, without the fields in `machine`; they override values from the profile.',
        why: 'azure needs `location`. For aws, `minSize` and `maxSize` follow `autoscaler` or `replicas`.',
        when: 'with `--for capi` and kind MachinePool',
        example: { location: 'westeurope' },
      },
    ),
    machineVersion: open(v.picklist(capiVersions), {
      what: 'API version of the provider’s machine template.',
      why: 'It can differ from the version of Cluster API objects. vsphere serves v1beta2 from 1.16 on.',
      derived: 'v1beta1 for azure and vsphere, v1beta2 for aws',
      when: 'with `--for capi`, not with provider other',
      example: 'v1beta2',
    }),
    bootstrap: field(
      v.objectWithRest(
        {
          files: v.optional(v.array(passThrough)),
          preKubeadmCommands: v.optional(v.array(v.string())),
          postKubeadmCommands: v.optional(v.array(v.string())),
        },
        json,
      ),
      {},
      {
        what: 'Fields of KubeadmConfig, such as users, files and commands; they override values from the profile.',
        why: 'Lists `files`, `preKubeadmCommands` and `postKubeadmCommands` are added: your commands run before the first and after the last command of winnode. All commands are lines of one batch file, which continues after a failed line. For secrets use `contentFrom` in `files`.',
        when,
        example: {
          users: [{ name: 'admin', groups: 'Administrators' }],
          postKubeadmCommands: ['C:/agent/register.exe'],
        },
      },
    ),
    deployment: field(
      passThrough,
      {},
      {
        what: 'Fields of the spec of the MachineDeployment or MachinePool, or of the worker class; they override values from the profile.',
        why: 'For rollout, failure domain, drain timeouts and labels, as `apiVersion` names them.',
        when,
        example: { template: { spec: { failureDomain: 'eu-west-1a' } } },
      },
    ),
    namePrefix: field(objectName(9), 'win', {
      what: 'Name prefix of machines; a dash and five random characters follow. For a MachinePool of azure it is the name of the scale set, and six characters follow.',
      why: 'Windows truncates names of more than 15 characters, and the vSphere provider rejects them.',
      when: 'with `--for capi`, without `clusterClass`, and not for a MachinePool of other providers than azure',
      example: 'web',
    }),
    replicas: field(whole(0, 1000), 1, {
      what: 'Number of machines.',
      why: 'With `autoscaler`, the autoscaler sets the number.',
      when: 'with `--for capi`, without `autoscaler`',
      example: 3,
    }),
    autoscaler: open(
      v.strictObject({
        min: v.pipe(whole(0, 1000), v.metadata({ what: 'Minimum number of machines.' })),
        max: v.pipe(whole(0, 1000), v.metadata({ what: 'Maximum number of machines.' })),
      }),
      {
        what: 'Limits for the cluster autoscaler.',
        why: 'They also add allocatable resources, labels and taints to the MachineDeployment, so that the autoscaler can scale up from zero.',
        when,
        example: { min: 0, max: 5 },
      },
    ),
    startMinutes: field(whole(1, 240), 30, {
      what: 'Minutes within which a new machine must register as a node.',
      why: 'After that, the MachineHealthCheck replaces it, if not more than 40% of the machines are unhealthy; of one or two machines, one. The first start of a Windows image takes several reboots. For a MachinePool of aws, an instance refresh waits so long before it replaces the next instance.',
      when: 'with `--for capi`, not for a MachinePool of other providers than aws',
      example: 45,
    }),
  },
  'Machines of Cluster API.',
)
