// Fields of targets: settings of the outputs for pipelines.
import * as v from 'valibot'
import { channels } from '../../model/channel.ts'
import { ansible } from './target-ansible.ts'
import { capi } from './target-capi.ts'
import { packer } from './target-packer.ts'
import { drivePath, field, group, httpsURL, open, text } from '../../model/field.ts'

const ownScripts = v.array(
  text(
    /^(?!\/)[\w. /-]+\.ps1$/,
    'a relative path of a .ps1, with letters, digits, blanks and ./_- only',
  ),
)

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
    before: field(ownScripts, [], {
      what: 'PowerShell scripts to run before Install, relative to the file that sets this field.',
      why: 'They get what user data must not contain, such as the token and credentials from a secret store. The user data contains the scripts. They run again at each attempt, and each must end with exit code 0.',
      when: 'with `--for userdata`',
      example: ['scripts/secrets.ps1'],
    }),
    after: field(ownScripts, [], {
      what: 'PowerShell scripts to run when an attempt has ended, in success or failure, relative to the file that sets this field.',
      why: 'They signal the result, such as to an Auto Scaling group, which otherwise takes a machine that never joins for a good one. Each gets the exit code as parameter ExitCode. A restart is no end.',
      when: 'with `--for userdata`',
      example: ['scripts/signal.ps1'],
    }),
    bundleURL: open(
      v.union(
        [httpsURL, drivePath],
        'an https address without a user and a query, or a path on the machine such as C:\\winnode\\web.zip',
      ),
      {
        what: 'URL of the archive of `--for zip`, or its path on the machine.',
        why: 'Most channels are too small for the bundle, so machines download the archive from this URL and verify its checksum. It is readable by all that can reach the URL; it contains no secret. A script of `before`, or the image, must write a file at a path.',
        when: 'with `--for userdata`',
        example: 'https://files.example.com/ws2022-web.zip',
      },
    ),
    join: field(v.boolean(), false, {
      what: 'Also join the cluster after the installation.',
      why: 'User data contains no token: a script of `before`, or another program, must write it to join.tokenFile first.',
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
