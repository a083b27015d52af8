// Builders of Packer: the settings without which each makes no Windows image, and where they are documented.
import type { PackerBuilder } from '../../model/target-settings.ts'
import { gibibytesOfDisk } from '../machine.ts'
import { imageName, winrm, type Builder } from './builder.ts'
import { variable } from './variables.ts'
import { vsphere } from './vsphere.ts'

export const builders: Readonly<Record<Exclude<PackerBuilder, 'other'>, Builder>> = {
  'azure-arm': {
    plugin: { source: 'github.com/hashicorp/azure', version: '>= 1.0.0' },
    variables: (facts) => [
      { name: 'client_id', type: 'string', what: 'The application that Packer signs in as.' },
      { name: 'client_secret', type: 'string', what: 'Its secret.', secret: true },
      { name: 'tenant_id', type: 'string', what: 'The directory of the application.' },
      { name: 'subscription_id', type: 'string', what: 'The subscription that pays.' },
      { name: 'location', type: 'string', what: 'Where the machine is built.' },
      { name: 'resource_group', type: 'string', what: 'The resource group of the image.' },
      { name: 'vm_size', type: 'string', what: 'The size of the machine that builds it.' },
      {
        name: 'image_sku',
        type: 'string',
        what: `The SKU of WindowsServer that has ${facts.windows.name}.`,
      },
      imageName(facts),
    ],
    settings: (facts) => ({
      client_id: variable('client_id'),
      client_secret: variable('client_secret'),
      tenant_id: variable('tenant_id'),
      subscription_id: variable('subscription_id'),
      os_type: 'Windows',
      image_publisher: 'MicrosoftWindowsServer',
      image_offer: 'WindowsServer',
      image_sku: variable('image_sku'),
      location: variable('location'),
      vm_size: variable('vm_size'),
      os_disk_size_gb: gibibytesOfDisk(facts),
      managed_image_name: variable('image_name'),
      managed_image_resource_group_name: variable('resource_group'),
      ...winrm,
      winrm_username: 'packer',
    }),
    required: [
      ...['subscription_id', 'os_type', 'image_publisher', 'image_offer', 'image_sku', 'location'],
      ...['managed_image_name', 'managed_image_resource_group_name'],
    ],
    sysprep: 'sysprep.ps1',
    files: [],
    see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/azure/latest/components/builder/arm',
  },
  'amazon-ebs': {
    plugin: { source: 'github.com/hashicorp/amazon', version: '>= 1.0.0' },
    variables: (facts) => [
      { name: 'region', type: 'string', what: 'Where the machine is built.' },
      { name: 'source_ami', type: 'string', what: `An AMI of Amazon with ${facts.windows.name}.` },
      { name: 'instance_type', type: 'string', what: 'The size of the machine that builds it.' },
      imageName(facts),
    ],
    settings: () => ({
      region: variable('region'),
      source_ami: variable('source_ami'),
      instance_type: variable('instance_type'),
      ami_name: variable('image_name'),
      user_data_file: { expression: '"${path.root}/scripts/winrm.txt"' },
      ...winrm,
      winrm_username: 'Administrator',
    }),
    blocks: (facts) => [
      {
        type: 'launch_block_device_mappings',
        attributes: {
          device_name: '/dev/sda1',
          volume_size: gibibytesOfDisk(facts),
          volume_type: 'gp2',
          delete_on_termination: true,
        },
      },
    ],
    required: ['region', 'source_ami', 'instance_type', 'ami_name', 'user_data_file'],
    sysprep: 'sysprep-amazon.ps1',
    files: [],
    userData: 'winrm.ps1',
    see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/amazon/latest/components/builder/ebs',
  },
  'vsphere-iso': vsphere,
}
