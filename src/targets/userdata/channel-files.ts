// Wraps a script in the format of each channel.
import type { Channel } from '../../model/channel.ts'
import type { Body, RenderedFile } from '../../model/plan.ts'
import { digestOf } from '../../render/digest.ts'
import { base64 } from '../bundle-archive.ts'
import { channelRows } from './channels.ts'

interface ChannelFile {
  readonly path: string
  readonly body: Body
}

/** The files of a channel; the limit applies to the first. */
export function channelFiles(channel: Channel, script: RenderedFile): readonly ChannelFile[] {
  const text = new TextDecoder().decode(script.content)
  const path = channelRows[channel].file
  switch (channel) {
    case 'ec2':
      return [
        {
          path,
          body: { kind: 'text', text: `${inPowerShellTags(text)}<persist>true</persist>\n` },
        },
      ]
    case 'ec2launch-v2': {
      const template = 'targets/ec2launch-v2.yaml.hbs'
      return [{ path, body: { kind: 'template', template, view: { script: text } } }]
    }
    case 'azure': {
      const value = { commandToExecute: extensionCommand(digestOf(script.content)) }
      return [
        { path, body: { kind: 'text', text } },
        { path: 'azure/extension.json', body: { kind: 'json', value } },
      ]
    }
    case 'gce':
      return [{ path, body: { kind: 'text', text } }]
    case 'cloudbase-init':
      return [{ path, body: { kind: 'text', text: multipart(script.content) } }]
  }
}

/** EC2Launch runs the text between the first tags. */
export function inPowerShellTags(text: string): string {
  if (/<\/?(powershell|script|persist)>/i.test(text))
    throw new Error('the script holds a tag of EC2')
  return `<powershell>\n${text}</powershell>\n`
}

/**
 * cmd.exe runs it: no %, and at most 8,191 characters. Azure writes custom data to a file without running it; the
 * copy in C:\Windows is writable only by Administrators.
 * https://learn.microsoft.com/azure/virtual-machines/custom-data
 */
function extensionCommand(sha256: string): string {
  const script = [
    `$ErrorActionPreference = 'Stop'`,
    `$script = 'C:\\Windows\\winnode-userdata.ps1'`,
    `Copy-Item -LiteralPath 'C:\\AzureData\\CustomData.bin' -Destination $script -Force`,
    `if ((Get-FileHash -LiteralPath $script -Algorithm SHA256).Hash -ne '${sha256}') { throw 'the custom data is not that of this extension' }`,
    `& $script`,
    `exit $LASTEXITCODE`,
  ].join('; ')
  return `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command "${script}"`
}

/**
 * cloudbase-init looks for exactly `Content-Type: multipart` in the headers, and runs a part by the extension of its
 * file name; a part without a file name raises an exception.
 * https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdata.py
 */
function multipart(script: Uint8Array): string {
  // Base64 has no dashes, so the boundary is unique.
  const boundary = '--winnode--'
  const lines = base64(script).match(/.{1,76}/g) ?? []
  return [
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/x-shellscript',
    'MIME-Version: 1.0',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename="winnode.ps1"',
    '',
    ...lines,
    `--${boundary}--`,
    '',
  ].join('\n')
}
