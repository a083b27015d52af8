// What cloudbase-init does for #cloud-config, as far as it concerns us: files, the host name, and one batch file.
// https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdataplugins/cloudconfig.py
import { isMap, isScalar, parseDocument } from 'yaml'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { codeOf, ended, scriptsOf, type Exits, type Started } from './scripts.ts'
import { writeFiles, type Written } from './write-files.ts'

interface Called {
  readonly call: string
  readonly with: readonly string[]
}
export type Done = Started | Written | Called

export interface Machine {
  readonly hostName: string
  readonly exits: Exits
}

type Plugin = (value: Json, machine: Machine, does: Done[]) => boolean | undefined

/** In the order in which they run, whatever the order in the text is. */
const plugins: Readonly<Record<string, Plugin>> = {
  write_files: (value, _, does) => {
    writeFiles(value, (written) => does.push(written))
    return false
  },
  set_hostname: setHostName,
  hostname: setHostName,
  runcmd,
}

/** The code that asks for what its plugins ask for. */
export function runCloudConfig(text: string, machine: Machine, does: Done[]): number {
  const entries = entriesOf(text)
  const restarts = Object.entries(plugins).filter(([name, plugin]) => {
    const value = entries[name]
    if (value === undefined) return false
    try {
      return plugin(value, machine, does)
    } catch {
      // Logged; the others run.
      return false
    }
  })
  // RET_END, whichever of the codes it was.
  return restarts.length > 0 ? 1003 : 0
}

/** PyYAML: YAML 1.1, of two keys the last counts. */
function entriesOf(text: string): JsonObject {
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false })
  const [error] = document.errors
  if (error) throw error
  if (document.contents === null) return {}
  if (!isMap(document.contents)) throw new Error('is no mapping')
  for (const { key } of document.contents.items)
    if (!isScalar(key) || typeof key.value !== 'string') throw new Error('keywords must be strings')
  return document.toJS() as JsonObject
}

/** hostname.py: without its domain, 15 letters at most, no dash at the end. A changed one restarts, and runs all again. */
function setHostName(value: Json, { hostName }: Machine, does: Done[]): boolean {
  if (typeof value !== 'string') throw new Error('is no text')
  const name = value.replace(/\..*/, '').slice(0, 15).replace(/-$/, '0')
  if (name.toLowerCase() === hostName.toLowerCase()) return false
  does.push({ call: 'set_host_name', with: [name] })
  return true
}

/** runcmd.py: one batch file; a text is taken for the list of its letters. 1002 is lost. */
function runcmd(value: Json, { exits }: Machine, does: Done[]): boolean {
  const lines = [...((value ?? []) as Iterable<Json>)].map((line) => {
    if (Array.isArray(line)) return line.map(String).join(' ')
    if (typeof line !== 'string') throw new Error('unrecognized type in cmd content')
    return line
  })
  if (lines.length === 0) return false
  const scripts = scriptsOf(['rem cmd', ...lines, ''].join('\r\n'))
  does.push(...scripts)
  return ended(codeOf(scripts, exits)).reboot
}
