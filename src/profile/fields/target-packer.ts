// Fields of the target packer: the builder of the image.
import * as v from 'valibot'
import {
  controlCharacters,
  exactVersion,
  field,
  group,
  open,
  sha256,
  text,
} from '../../model/field.ts'
import { packerBuilders, sysprepModes, updateCategories } from '../../model/target-settings.ts'

const when = 'with `--for packer`'

/** Packer evaluates each string as a Go template too, and no escape is safe. */
const plainText = v.pipe(
  v.string(),
  v.check((value) => !value.includes('{{'), 'a text without {{, which Packer takes for a template'),
)
const scalar = v.union([plainText, v.number(), v.boolean()], 'a text, a number, true or false')
const attribute = v.union(
  [scalar, v.array(scalar), v.record(v.pipe(plainText, v.nonEmpty()), scalar)],
  'a text, a number, true or false, or a list or map of these',
)
const hclName = text(/^[a-z][a-z0-9_]*$/, 'a name such as vpc_id')

export const packer = group(
  {
    builder: open(v.picklist(packerBuilders), {
      what: 'Packer builder of the machine; other for your own source block.',
      why: 'Each builder has its own settings and its own way to generalize (sysprep) the image. Required for `--for packer`.',
      when,
      example: 'azure-arm',
    }),
    source: open(text(/^[\w-]+\.[\w-]+$/, 'TYPE.NAME, such as qemu.windows'), {
      what: 'Your source block, as TYPE.NAME.',
      why: 'The builder’s type decides how the image is generalized, unless `sysprep` does.',
      when: 'with `--for packer` and builder other',
      example: 'qemu.windows',
    }),
    sysprep: open(v.picklist(sysprepModes), {
      what: 'How the image is generalized: windows runs Sysprep.exe, ec2launch the agent of Amazon, none neither.',
      why: 'The azure and amazon builders have no shutdown command that could do it. An image that is not generalized gives each machine the same identity.',
      derived:
        'by the builder’s type: amazon-* ec2launch; azure-*, vsphere-* and hyperv-* windows; others none',
      when: 'with `--for packer` and builder other',
      example: 'windows',
    }),
    cloudbaseInit: open(
      v.strictObject({
        version: v.pipe(
          exactVersion,
          v.metadata({ what: 'Its version, as the releases of cloudbase-init have it.' }),
        ),
        sha256: v.pipe(
          sha256,
          v.metadata({ what: 'Checksum (SHA-256) of CloudbaseInitSetup_VERSION_x64.msi.' }),
        ),
      }),
      {
        what: 'Installs cloudbase-init, which reads the user data of Cluster API.',
        why: 'Images of Windows do not contain it, and its default configuration reads neither the metadata of Azure nor of vSphere. It runs as LocalSystem.',
        when: 'with `--for packer` and a builder azure-*, amazon-* or vsphere-*',
        example: { version: '1.1.8', sha256: '0123456789abcdef'.repeat(4) },
      },
    ),
    windowsUpdates: group(
      {
        categories: field(v.array(v.picklist(updateCategories)), [], {
          what: 'Categories of updates of Windows to install before the bundle, with their restarts.',
          why: 'An image from media has the updates of the media and no newer ones.',
          when,
          example: ['SecurityUpdates', 'CriticalUpdates'],
        }),
        kbs: field(v.array(text(/^KB\d{6,8}$/, 'a number such as KB5044281')), [], {
          what: 'Single updates of Windows to install, by number.',
          why: 'To test an update, or to install one that no category offers yet.',
          when,
          example: ['KB5044281'],
        }),
      },
      'Updates of Windows in the image.',
    ),
    provision: field(
      v.array(
        v.pipe(
          plainText,
          v.regex(
            new RegExp(String.raw`^(?!/)[^"\\$%:${controlCharacters}]+\.ps1$`),
            'a relative path of a .ps1',
          ),
        ),
      ),
      [],
      {
        what: 'PowerShell scripts to run before the image is verified; paths are relative to the output folder.',
        why: 'For agents and certificates that belong in the image. Any exit code except 0 fails the build; `manifest.json` contains the digest of each.',
        when,
        example: ['../scripts/agent.ps1'],
      },
    ),
    settings: field(
      v.record(hclName, attribute),
      {},
      {
        what: 'Attributes of the source block; they override attributes that winnode sets.',
        why: 'For networks, sign-in, encryption and tags.',
        when: 'with `--for packer`, not with builder other',
        example: { use_azure_cli_auth: true },
      },
    ),
    omit: field(v.array(hclName), [], {
      what: 'Attributes of winnode to leave out of the source block, with their variables.',
      why: 'Another way to sign in needs no client_secret, and Packer would prompt for it.',
      when: 'with `--for packer`, not with builder other',
      example: ['client_id', 'client_secret'],
    }),
    blocks: field(
      v.record(hclName, v.record(hclName, attribute)),
      {},
      {
        what: 'Nested blocks of the source block, by name; they replace a block of winnode.',
        why: 'For what Packer reads as a block, such as the destination in a gallery.',
        when: 'with `--for packer`, not with builder other',
        example: { shared_image_gallery_destination: { gallery_name: 'images' } },
      },
    ),
  },
  'Images that Packer builds.',
)
