// Fields of targets: what the outputs for pipelines need beside the node itself.
import * as v from 'valibot'
import { channels } from '../../model/channel.ts'
import { capi } from './target-capi.ts'
import { packer } from './target-packer.ts'
import { field, group, httpsURL, open } from '../../model/field.ts'

const userdata = group(
  {
    channels: field(
      v.pipe(v.array(v.picklist(channels)), v.minLength(1, 'at least one channel')),
      [...channels],
      {
        what: 'Where machines get their user data from; each gets files of its own.',
        why: 'Each channel has a size, and a way to ask for a restart.',
        when: 'with `--for userdata`',
        example: ['gce'],
      },
    ),
    bundleURL: open(httpsURL, {
      what: 'The address that serves the archive of `--for zip`.',
      why: 'Most channels are too small for the bundle: a machine fetches the archive from here then, and refuses what has another digest. Whoever reaches the address reads the bundle, which holds no secret.',
      when: 'with `--for userdata`',
      example: 'https://files.example.com/ws2022-web.zip',
    }),
    join: field(v.boolean(), false, {
      what: 'Join the cluster too, once the machine is installed.',
      why: 'User data holds no token: something else has to put it into join.tokenFile first.',
      when: 'with `--for userdata`',
      example: true,
    }),
  },
  'User data of clouds.',
)

export const targets = group(
  { userdata, capi, packer },
  'What `winnode render --for` makes beside the bundle.',
)
