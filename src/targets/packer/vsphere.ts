// vSphere: the settings of a machine that installs Windows from media, with answers that hold no password of ours.
import type { Facts } from '../../model/facts.ts'
import type { WindowsId } from '../../model/rows.ts'
import { expression, type Expression } from '../../render/hcl-text.ts'
import { gibibytesOfDisk } from '../machine.ts'
import { imageName, winrm, type Builder } from './builder.ts'
import { variable, type Variable } from './variables.ts'

/**
 * Identifiers that image-builder installs with; of others, the ESX host lists its own.
 * https://github.com/kubernetes-sigs/image-builder/tree/main/images/capi/packer/ova
 */
const guests: Readonly<Partial<Record<WindowsId, string>>> = {
  ws2019: 'windows2019srv_64Guest',
  ws2022: 'windows2019srvNext_64Guest',
}

/** What stands in XML as it is. */
const inXml = (name: string): Expression =>
  expression(`replace(replace(var.${name}, "&", "&amp;"), "<", "&lt;")`)

const beside = (name: string) => `"\${path.root}/${name}"`

function guestType({ windows }: Facts): Variable {
  const fallback = guests[windows.id]
  const what = 'The identifier of the guest system; the ESX host lists those that it knows.'
  return {
    name: 'guest_os_type',
    type: 'string',
    what,
    ...(fallback !== undefined && { fallback }),
  }
}

export const vsphere: Builder = {
  plugin: { source: 'github.com/vmware/vsphere', version: '>= 2.0.0' },
  variables: (facts) => [
    { name: 'vcenter_server', type: 'string', what: 'The host name of vCenter.' },
    { name: 'username', type: 'string', what: 'The account that Packer signs in as.' },
    { name: 'password', type: 'string', what: 'Its password.', secret: true },
    { name: 'datacenter', type: 'string', what: 'Where the machine is built.' },
    { name: 'cluster', type: 'string', what: 'The cluster of hosts that runs it.' },
    { name: 'datastore', type: 'string', what: 'The datastore of its disk, and of the template.' },
    { name: 'network', type: 'string', what: 'The network by which Packer reaches the machine.' },
    {
      name: 'iso_path',
      type: 'string',
      what: `The media of ${facts.windows.name}, as [datastore] folder/file.iso.`,
    },
    {
      name: 'tools_iso_path',
      type: 'string',
      what: 'The media of VMware Tools for Windows, as [datastore] folder/file.iso.',
    },
    {
      name: 'windows_image',
      type: 'string',
      what: 'The name of the image on the media, as dism /get-wiminfo lists it.',
      fallback: `${facts.windows.name} SERVERSTANDARDCORE`,
    },
    {
      name: 'product_key',
      type: 'string',
      what: 'The product key, where the media asks for one; evaluation media do not.',
      fallback: '',
    },
    {
      name: 'winrm_password',
      type: 'string',
      what: 'The password of Administrator while the image is built.',
      secret: true,
    },
    guestType(facts),
    imageName(facts),
  ],
  // A password may have what XML reads.
  locals: {
    answers: {
      windows_image: inXml('windows_image'),
      product_key: inXml('product_key'),
      password: inXml('winrm_password'),
    },
  },
  settings: (facts) => ({
    vcenter_server: variable('vcenter_server'),
    username: variable('username'),
    password: variable('password'),
    datacenter: variable('datacenter'),
    cluster: variable('cluster'),
    datastore: variable('datastore'),
    vm_name: variable('image_name'),
    guest_os_type: variable('guest_os_type'),
    firmware: 'efi',
    CPUs: facts.spec.machine.cpu,
    RAM: facts.reservations.capacity.memory,
    // Windows has its driver; that of pvscsi comes with VMware Tools.
    disk_controller_type: ['nvme'],
    iso_paths: expression('[var.iso_path, var.tools_iso_path]'),
    remove_cdrom: true,
    floppy_files: expression(
      `[${beside('scripts/first-logon.ps1')}, ${beside('scripts/winrm.ps1')}]`,
    ),
    floppy_content: {
      'Autounattend.xml': expression(
        `templatefile(${beside('Autounattend.xml.pkrtpl')}, local.answers)`,
      ),
    },
    // The media asks for a key before it starts.
    boot_wait: '2s',
    boot_command: ['<wait><enter><return>'],
    // Windows has no address before VMware Tools are there.
    ip_wait_timeout: '2h',
    ...winrm,
    winrm_username: 'Administrator',
    winrm_password: variable('winrm_password'),
    shutdown_timeout: '1h',
    convert_to_template: true,
  }),
  blocks: (facts) => [
    {
      type: 'network_adapters',
      attributes: { network: variable('network'), network_card: 'vmxnet3' },
    },
    {
      type: 'storage',
      attributes: { disk_size: gibibytesOfDisk(facts) * 1024, disk_thin_provisioned: true },
    },
  ],
  required: [
    ...['vcenter_server', 'username', 'password', 'vm_name', 'cluster', 'disk_size'],
    ...['network_card', 'iso_paths', 'floppy_content', 'winrm_password'],
  ],
  sysprep: 'sysprep.ps1',
  files: ['winrm.ps1', 'first-logon.ps1'],
  beside: ['Autounattend.xml.pkrtpl'],
  see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/vsphere/latest/components/builder/vsphere-iso',
}
