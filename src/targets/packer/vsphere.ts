// The vSphere builder, which installs Windows from media with an answer file; passwords are variables.
import type { WindowsId } from '../../model/choices.ts'
import { expression, type Expression } from '../../render/hcl-text.ts'
import { diskGiB } from '../machine.ts'
import type { Input } from '../target.ts'
import { imageName, winrm, type Builder } from './builder.ts'
import { required, preset, secret, variable, variables, type Variable } from './variables.ts'

/**
 * Guest OS identifiers that image-builder uses; for other releases the user names one that the ESXi host lists.
 * https://github.com/kubernetes-sigs/image-builder/tree/main/images/capi/packer/ova
 */
const guests: Readonly<Partial<Record<WindowsId, string>>> = {
  ws2019: 'windows2019srv_64Guest',
  ws2022: 'windows2019srvNext_64Guest',
}

/** The variable, escaped for XML. */
const inXml = (name: string): Expression =>
  expression(`replace(replace(replace(var.${name}, "&", "&amp;"), "<", "&lt;"), ">", "&gt;")`)

const beside = (name: string) => `"\${path.root}/${name}"`

/** Scripts on the floppy, which stays attached until the shutdown. */
const floppy = ['first-logon.ps1', 'winrm.ps1', 'close-winrm.ps1'] as const

function guestType({ facts: { windows } }: Input): Variable {
  const fallback = guests[windows.id]
  const name = 'guest_os_type'
  const what = 'The identifier of the guest system; the ESX host lists those that it knows.'
  return fallback === undefined ? required(name, what) : preset(name, what, fallback)
}

export const vsphere: Builder = {
  plugin: { source: 'github.com/vmware/vsphere', version: '>= 2.0.0' },
  variables: (input) => [
    required('vcenter_server', 'The host name of vCenter.'),
    required('username', 'The account that Packer signs in as.'),
    secret('password', 'Its password.'),
    required('datacenter', 'Where the machine is built.'),
    required('cluster', 'The cluster of hosts that runs it.'),
    required('datastore', 'The datastore of its disk, and of the template.'),
    required('network', 'The network by which Packer reaches the machine.'),
    required(
      'iso_path',
      `The media of ${input.facts.windows.name}, as [datastore] folder/file.iso.`,
    ),
    required(
      'tools_iso_path',
      'The media of VMware Tools for Windows, as [datastore] folder/file.iso.',
    ),
    preset(
      'windows_image',
      'The name of the image on the media, as dism /get-wiminfo lists it.',
      `${input.facts.windows.name} SERVERSTANDARDCORE`,
    ),
    preset(
      'product_key',
      'The product key, where the media asks for one; evaluation media do not.',
      '',
    ),
    secret('winrm_password', 'The password of Administrator while the image is built.'),
    guestType(input),
    imageName(input),
  ],
  // A password may hold characters that are special in XML.
  locals: {
    answers: {
      windows_image: inXml('windows_image'),
      product_key: inXml('product_key'),
      password: inXml('winrm_password'),
    },
  },
  settings: ({ facts }) => ({
    ...variables('vcenter_server', 'username', 'password', 'datacenter', 'cluster', 'datastore'),
    vm_name: variable('image_name'),
    guest_os_type: variable('guest_os_type'),
    firmware: 'efi',
    CPUs: facts.spec.machine.cpu,
    RAM: facts.reservations.capacity.memory,
    // Windows has an NVMe driver; that of pvscsi comes with VMware Tools.
    disk_controller_type: ['nvme'],
    iso_paths: expression('[var.iso_path, var.tools_iso_path]'),
    remove_cdrom: true,
    floppy_files: expression(`[${floppy.map((name) => beside(`scripts/${name}`)).join(', ')}]`),
    floppy_content: {
      'Autounattend.xml': expression(
        `templatefile(${beside('Autounattend.xml.pkrtpl')}, local.answers)`,
      ),
    },
    // The media waits for a key press before it boots.
    boot_wait: '2s',
    boot_command: ['<wait><enter><return>'],
    // vSphere reports no address before VMware Tools are installed.
    ip_wait_timeout: '2h',
    ...winrm,
    winrm_username: 'Administrator',
    winrm_password: variable('winrm_password'),
    // Runs when sysprep has ended.
    shutdown_command:
      'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File A:\\close-winrm.ps1',
    shutdown_timeout: '1h',
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
  required: [
    'vcenter_server',
    'username',
    'password',
    'vm_name',
    'cluster',
    'disk_size',
    'network_card',
    'iso_paths',
    'floppy_content',
    'winrm_password',
    'shutdown_command',
  ],
  sysprep: 'sysprep.ps1',
  files: floppy,
  beside: ['Autounattend.xml.pkrtpl'],
  image: 'var.iso_path',
  see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/vsphere/latest/components/builder/vsphere-iso',
}
