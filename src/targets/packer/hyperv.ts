// The Hyper-V builder, which installs Windows from media on the Hyper-V host where Packer runs.
import { expression } from '../../render/hcl-text.ts'
import { diskGiB } from '../machine.ts'
import { beside, imageName, winrm, type Builder } from './builder.ts'
import {
  answerTemplate,
  mediaAccess,
  mediaLocals,
  mediaScripts,
  mediaVariables,
  onDrive,
} from './media.ts'
import { required, preset, variable, variables } from './variables.ts'

/**
 * The plugin refuses more; the machines of the image can have it.
 * https://github.com/hashicorp/packer-plugin-hyperv/blob/043f843cd561da02583cd9979141a50859dd9c69/builder/hyperv/common/config.go
 */
const maxMemoryMiB = 32 * 1024

export const hypervIso: Builder = {
  plugin: { source: 'github.com/hashicorp/hyperv', version: '>= 1.0.0' },
  variables: (input) => [
    required('iso_url', `The media of ${input.facts.windows.name}, as a path or a URL.`),
    required('iso_checksum', 'Its checksum, such as sha256: and the digest.'),
    required('switch_name', 'The virtual switch of the machine.'),
    preset('vlan_id', 'The VLAN of its network card; empty for none.', ''),
    ...mediaVariables(input),
    imageName(input),
  ],
  locals: mediaLocals,
  settings: ({ facts }) => ({
    ...variables('iso_url', 'iso_checksum', 'switch_name', 'vlan_id'),
    vm_name: variable('image_name'),
    // By default each build has the same, and Packer refuses one that exists.
    output_directory: expression(beside('${var.image_name}')),
    generation: 2,
    enable_secure_boot: true,
    cpus: facts.spec.machine.cpu,
    memory: Math.min(facts.reservations.capacity.memory, maxMemoryMiB),
    disk_size: diskGiB(facts) * 1024,
    // Windows Server has the integration services.
    guest_additions_mode: 'none',
    // A server without a desktop has no window for the console.
    headless: true,
    // Machines of generation 2 have no floppy.
    ...onDrive('cd'),
    // The media waits some seconds for a key press before it boots.
    boot_wait: '1s',
    boot_command: ['a<wait>a<wait>a<wait>a<wait>a'],
    ...winrm,
    // It also waits while Windows is installed.
    winrm_timeout: '2h',
    ...mediaAccess,
  }),
  sysprep: 'sysprep.ps1',
  files: mediaScripts,
  beside: [answerTemplate],
  // A query can be a signature.
  image: 'split("?", var.iso_url)[0]',
  see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/hyperv/latest/components/builder/iso',
}
