// Fields of targets: settings of the outputs for pipelines.
import * as v from 'valibot'
import { channels } from '../../model/channel.ts'
import { ansible } from './target-ansible.ts'
import { capi } from './target-capi.ts'
import { packer } from './target-packer.ts'
import { field, group, httpsURL, open } from '../../model/field.ts'

const userdata = group(
  {
    channels: field(
      v.pipe(v.array(v.picklist(channels)), v.minLength(1, 'at least one channel')),
      [...channels],
      {
        what: 'Channels by which machines get user data; each has its own files.',
        why: 'Channels differ in size limit and in how a restart is requested.',
        when: 'with `--for userdata`',
        example: ['gce'],
      },
    ),
    bundleURL: open(httpsURL, {
      what: 'URL of the archive of `--for zip`.',
      why: 'Most channels are too small for the bundle, so machines download the archive from this URL and verify its checksum. It is readable by all that can reach the URL; it contains no secret.',
      when: 'with `--for userdata`',
      example: 'https://files.example.com/ws2022-web.zip',
    }),
    join: field(v.boolean(), false, {
      what: 'Also join the cluster after the installation.',
      why: 'User data contains no token: another program must write it to join.tokenFile first.',
      when: 'with `--for userdata`',
      example: true,
    }),
  },
  'User data of clouds.',
)

export const targets = group(
  { userdata, capi, packer, ansible },
  'Outputs of `winnode render --for` beside the bundle.',
)
