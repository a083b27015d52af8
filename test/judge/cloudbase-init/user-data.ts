// What cloudbase-init 1.1.9 does with user data; it throws where an exception leaves the plugin.
// https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdata.py
import { gunzipSync } from 'node:zlib'
import { runCloudConfig, type Done, type Machine } from './cloud-config.ts'
import { rendered } from './jinja.ts'
import { codeOf, ended, scriptsOf, type Ended, type Exits } from './scripts.ts'

export interface Processed extends Ended {
  readonly does: readonly Done[]
}

export function processUserData(
  userData: Buffer,
  exits: Exits = () => 0,
  hostName = 'win-1',
): Processed {
  const machine = { exits, hostName }
  const text = textOf(userData)
  if (text === '') return { does: [], ...ended(0) }
  const [head = ''] = text.split('\n\n')
  // Parts are no templates.
  if (head.includes('Content-Type: multipart')) return processParts(text, machine)
  return processOne(rendered(text, hostName), machine)
}

/** Packed once, and UTF-8. */
function textOf(userData: Buffer): string {
  const packed = userData[0] === 0x1f && userData[1] === 0x8b
  const bytes = packed ? gunzipSync(userData) : userData
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function processOne(text: string, machine: Machine, extension?: string): Processed {
  const does: Done[] = []
  if (extension === undefined && text.startsWith('#cloud-config'))
    return { ...ended(runCloudConfig(text, machine, does)), does }
  if (extension === undefined && text.trim().startsWith('-----BEGIN CERTIFICATE-----'))
    return { ...ended(0), does }
  const scripts = scriptsOf(text, extension)
  return { ...ended(codeOf(scripts, machine.exits)), does: scripts }
}

function processParts(text: string, machine: Machine): Processed {
  const does: Done[] = []
  let last = ended(0)
  for (const part of partsOf(text.replaceAll('\r\n', '\n'))) {
    last = ended(0)
    if (part.type === 'text/cloud-config') {
      last = ended(runCloudConfig(part.payload, machine, does))
    } else if (part.type === 'text/x-shellscript' && part.fileName !== undefined) {
      const extension = /\.([^.]+)$/.exec(part.fileName)?.[1]?.toLowerCase() ?? ''
      const { does: ran, ...asked } = processOne(part.payload, machine, extension)
      does.push(...ran)
      last = asked
    }
    // What comes behind it is left out.
    if (last.reboot) break
  }
  return { ...last, does }
}

function partsOf(text: string) {
  // Python takes headers from the first line on, or none.
  const [head = '', ...rest] = text.split('\n\n')
  const boundary = /^Content-Type: multipart\/\S+ boundary="([^"]+)"/im.exec(head)?.[1]
  if (text.startsWith('\n') || boundary === undefined) return []
  const [, ...pieces] = `\n${rest.join('\n\n')}`.split(`\n--${boundary}`)
  const end = pieces.findIndex((piece) => piece.startsWith('--'))
  return pieces.slice(0, end).map((piece) => {
    const at = piece.indexOf('\n\n')
    const header = (name: string) =>
      new RegExp(`^${name}: ([^\\n]*)`, 'im').exec(piece.slice(0, at))?.[1] ?? ''
    const body = piece.slice(at + 2)
    const encoded = header('Content-Transfer-Encoding') === 'base64'
    return {
      type: header('Content-Type'),
      fileName: /filename="([^"]*)"/.exec(header('Content-Disposition'))?.[1],
      payload: encoded ? Buffer.from(body, 'base64').toString() : body,
    }
  })
}
