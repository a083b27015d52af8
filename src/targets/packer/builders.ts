// The known Packer builders, with the settings that each needs for a Windows image.
import type { PackerBuilder } from '../../model/target-settings.ts'
import { expression } from '../../render/hcl-text.ts'
import { azureDiskGB, diskGiB } from '../machine.ts'
import { beside, imageName, winrm, type Builder } from './builder.ts'
import { hypervIso } from './hyperv.ts'
import { preset, required, secret, variable, variables } from './variables.ts'
import { vsphereClone, vsphereIso } from './vsphere.ts'

export const builders: Readonly<Record<Exclude<PackerBuilder, 'other'>, Builder>> = {
  'azure-arm': {
    plugin: { source: 'github.com/hashicorp/azure', version: '>= 1.0.0' },
    variables: (input) => [
      required('client_id', 'The application that Packer signs in as.'),
      secret('client_secret', 'Its secret.'),
      required('tenant_id', 'The directory of the application.'),
      required('subscription_id', 'The subscription that pays.'),
      required('location', 'Where the machine is built.'),
      required('resource_group', 'The resource group of the image.'),
      required('vm_size', 'The size of the machine that builds it.'),
      required('image_sku', `The SKU of WindowsServer that has ${input.facts.windows.name}.`),
      preset(
        'os_disk_size_gb',
        'The size of the disk; 0 for that of the image: 127, or 30 where its SKU ends in -smalldisk. Azure refuses less.',
        azureDiskGB(input) ?? 0,
      ),
      preset('image_version', 'The version of the image that the build starts from.', 'latest'),
      imageName(input),
    ],
    settings: () => ({
      ...variables('client_id', 'client_secret', 'tenant_id', 'subscription_id'),
      os_type: 'Windows',
      image_publisher: 'MicrosoftWindowsServer',
      image_offer: 'WindowsServer',
      ...variables('image_sku', 'image_version', 'location', 'vm_size'),
      os_disk_size_gb: variable('os_disk_size_gb'),
      managed_image_name: variable('image_name'),
      managed_image_resource_group_name: variable('resource_group'),
      ...winrm,
      winrm_username: 'packer',
    }),
    sysprep: 'sysprep.ps1',
    files: [],
    // The builder in Packer 1.6 does not have it.
    image: 'try(build.SourceImageName, "unknown")',
    see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/azure/latest/components/builder/arm',
  },
  'amazon-ebs': {
    plugin: { source: 'github.com/hashicorp/amazon', version: '>= 1.0.0' },
    variables: (input) => [
      required('region', 'Where the machine is built.'),
      required('source_ami', `An AMI of Amazon with ${input.facts.windows.name}.`),
      required('instance_type', 'The size of the machine that builds it.'),
      imageName(input),
    ],
    settings: () => ({
      ...variables('region', 'source_ami', 'instance_type'),
      ami_name: variable('image_name'),
      user_data_file: expression(beside('scripts/winrm.txt')),
      ...winrm,
      winrm_username: 'Administrator',
    }),
    blocks: ({ facts }) => [
      {
        type: 'launch_block_device_mappings',
        attributes: {
          device_name: '/dev/sda1',
          volume_size: diskGiB(facts),
          volume_type: 'gp2',
          delete_on_termination: true,
        },
      },
    ],
    sysprep: 'sysprep-amazon.ps1',
    files: [],
    userData: 'winrm.ps1',
    image: 'build.SourceAMI',
    see: 'https://developer.hashicorp.com/packer/integrations/hashicorp/amazon/latest/components/builder/ebs',
  },
  'vsphere-iso': vsphereIso,
  'vsphere-clone': vsphereClone,
  'hyperv-iso': hypervIso,
}
