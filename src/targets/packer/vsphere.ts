// The vSphere builders: one installs Windows from media with an answer file, one clones a machine that has Windows.
import type { WindowsId } from '../../model/choices.ts'
import { expression } from '../../render/hcl-text.ts'
import { diskGiB } from '../machine.ts'
import type { Input } from '../target.ts'
import { imageName, winrm, type Builder } from './builder.ts'
import {
  answerTemplate,
  mediaAccess,
  mediaLocals,
  mediaScripts,
  mediaVariables,
  onDrive,
} from './media.ts'
import { required, preset, secret, variable, variables, type Variable } from './variables.ts'

/**
 * Guest OS identifiers that image-builder uses; for other releases the user names one that the ESXi host lists.
 * https://github.com/kubernetes-sigs/image-builder/tree/main/images/capi/packer/ova
 */
const guests: Readonly<Partial<Record<WindowsId, string>>> = {
  ws2019: 'windows2019srv_64Guest',
  ws2022: 'windows2019srvNext_64Guest',
}

function guestType({ facts: { windows } }: Input): Variable {
  const fallback = guests[windows.id]
  const name = 'guest_os_type'
  const what = 'The identifier of the guest system; the ESX host lists those that it knows.'
  return fallback === undefined ? required(name, what) : preset(name, what, fallback)
}

const plugin = { source: 'github.com/vmware/vsphere', version: '>= 2.0.0' } as const

const connection = [
  required('vcenter_server', 'The host name of vCenter.'),
  required('username', 'The account that Packer signs in as.'),
  secret('password', 'Its password.'),
  required('datacenter', 'Where the machine is built.'),
  required('cluster', 'The cluster of hosts that runs it.'),
  preset('host', 'The ESX host that runs it; empty where DRS chooses.', ''),
  preset('resource_pool', 'The resource pool; empty for that of the cluster.', ''),
  preset('folder', 'The folder of the machine and its template; empty for the root.', ''),
  required('datastore', 'The datastore of its disk, and of the template.'),
  required('network', 'The network by which Packer reaches the machine.'),
] as const

const machine = ({ facts }: Input) => ({
  ...variables('vcenter_server', 'username', 'password', 'datacenter'),
  ...variables('cluster', 'host', 'resource_pool', 'folder', 'datastore'),
  vm_name: variable('image_name'),
  CPUs: facts.spec.machine.cpu,
  RAM: facts.reservations.capacity.memory,
})

export const vsphereIso: Builder = {
  plugin,
  variables: (input) => [
    ...connection,
    required(
      'iso_path',
      `The media of ${input.facts.windows.name}, as [datastore] folder/file.iso.`,
    ),
    required(
      'tools_iso_path',
      'The media of VMware Tools for Windows, as [datastore] folder/file.iso; ESX hosts have one as [] /vmimages/tools-isoimages/windows.iso.',
    ),
    ...mediaVariables(input),
    guestType(input),
    imageName(input),
  ],
  locals: mediaLocals,
  settings: (input) => ({
    ...machine(input),
    guest_os_type: variable('guest_os_type'),
    firmware: 'efi',
    // Windows has an NVMe driver; that of pvscsi comes with VMware Tools.
    disk_controller_type: ['nvme'],
    iso_paths: expression('[var.iso_path, var.tools_iso_path]'),
    remove_cdrom: true,
    ...onDrive('floppy'),
    // The media waits for a key press before it boots.
    boot_wait: '2s',
    boot_command: ['<wait><enter><return>'],
    // vSphere reports no address before VMware Tools are installed.
    ip_wait_timeout: '2h',
    ...winrm,
    ...mediaAccess,
    convert_to_template: true,
  }),
  blocks: ({ facts }) => [
    {
      type: 'network_adapters',
      attributes: { network: variable('network'), network_card: 'vmxnet3' },
    },
    {
      type: 'storage',
      attributes: { disk_size: diskGiB(facts) * 1024, disk_thin_provisioned: true },
    },
  ],
  sysprep: 'sysprep.ps1',
  files: mediaScripts,
  beside: [answerTemplate],
  image: 'var.iso_path',
  see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/vsphere/latest/components/builder/vsphere-iso',
}

/** vSphere refuses a disk that is smaller than that of the template, and the assumed size can be. */
const cloneDiskMiB = ({ facts, isSet }: Input): number =>
  isSet(['machine', 'disk']) ? diskGiB(facts) * 1024 : 0

export const vsphereClone: Builder = {
  plugin,
  variables: (input) => [
    ...connection,
    required(
      'template',
      `A machine or template with ${input.facts.windows.name}, VMware Tools, and WinRM with TLS on port 5986.`,
    ),
    preset(
      'disk_size',
      'The size of the disk in MiB; 0 for that of the template. vSphere refuses less.',
      cloneDiskMiB(input),
    ),
    preset('winrm_username', 'An administrator of the template.', 'Administrator'),
    secret('winrm_password', 'The password of this account.'),
    imageName(input),
  ],
  settings: (input) => ({
    ...machine(input),
    ...variables('template', 'disk_size', 'network'),
    ...winrm,
    ...variables('winrm_username', 'winrm_password'),
    // Without a shutdown command VMware Tools stop the machine, which needs no account and no WinRM after sysprep.
    shutdown_timeout: '1h',
    convert_to_template: true,
  }),
  sysprep: 'sysprep.ps1',
  files: [],
  image: 'var.template',
  see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/vsphere/latest/components/builder/vsphere-clone',
}
