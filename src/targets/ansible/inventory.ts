// The machines of the inventory: from the list of the profile, or from a CSV file of the user.
import type { RenderedFile } from '../../model/plan.ts'
import { parseAddress } from '../../net/cidr.ts'
import { encodeText } from '../../render/encode.ts'
import { yamlText } from '../../render/yaml-text.ts'
import type { Input, Refusal } from '../target.ts'

interface Inventory {
  /** None where the profile names no machine. */
  readonly files: readonly RenderedFile[]
  readonly refusals: readonly Refusal[]
}

interface Machine {
  readonly name: string
  readonly address: string
  readonly variables: Readonly<Record<string, string>>
}

interface Row extends Machine {
  /** Such as `hosts.csv:3`. */
  readonly place: string
}

const field = ['targets', 'ansible', 'inventoryFile']

const refusal = (message: string, remedy: string): Refusal => ({ path: field, message, remedy })

export function inventoryOf({ facts, read }: Input): Inventory {
  const { inventory, inventoryFile } = facts.spec.targets.ansible
  if (inventoryFile === undefined) {
    const machines = inventory.map((host) => {
      const [name = '', address = ''] = host.split(',')
      return { name, address, variables: {} }
    })
    return { files: fileOf(machines), refusals: [] }
  }
  const refuse = (why: Refusal): Inventory => ({ files: [], refusals: [why] })
  if (inventory.length > 0)
    return refuse(
      refusal(
        'targets.ansible.inventory and inventoryFile both name machines',
        'Set only one of them.',
      ),
    )
  const content = read(inventoryFile, field)
  if (typeof content === 'string')
    return refuse(
      refusal(
        `${inventoryFile}: ${content}`,
        'Name a CSV file beside the file that sets this field.',
      ),
    )
  const rows = rowsOf(inventoryFile, content)
  return 'remedy' in rows ? refuse(rows) : { files: fileOf(rows), refusals: [] }
}

function fileOf(machines: readonly Machine[]): readonly RenderedFile[] {
  if (machines.length === 0) return []
  const hosts = machines.map(
    ({ name, address, variables }) =>
      [name, { ...(address !== '' && { ansible_host: address }), ...variables }] as const,
  )
  const inventory = { winnode: { hosts: Object.fromEntries(hosts) } }
  return [{ path: 'inventory.yml', content: encodeText(yamlText([inventory])) }]
}

const example = 'Begin the file with the line name,address and, behind these, names of variables.'

/**
 * Lines of values between commas, in UTF-8. Quotes are refused: no name, address or port needs one, and a parser that
 * drops them would take `"a,b"` for two values.
 */
function rowsOf(file: string, content: Uint8Array): readonly Row[] | Refusal {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return refusal(`${file} is not UTF-8`, 'Save it as CSV UTF-8.')
  }
  const lines = text.split(/\r?\n|\r/).map((line, index) => ({
    place: `${file}:${index + 1}`,
    values: line.split(',').map((value) => value.trim()),
  }))
  const [header, ...others] = lines
  const columns = header?.values ?? []
  const wrong = wrongHeader(file, columns)
  if (wrong) return wrong
  const rows: Row[] = []
  for (const { place, values } of others) {
    if (values.join('') === '') continue
    const row = rowOf(place, columns, values)
    if ('remedy' in row) return row
    const double = rows.find(
      ({ name, address }) =>
        name.toLowerCase() === row.name.toLowerCase() ||
        (address !== '' && address.toLowerCase() === row.address.toLowerCase()),
    )
    if (double)
      return refusal(
        `${place}: ${row.name} (${row.address}) has the name or the address of ${double.place}`,
        'Give each machine one line, with its own name and address.',
      )
    rows.push(row)
  }
  return rows.length > 0
    ? rows
    : refusal(`${file} names no machine`, 'Add a line for each machine.')
}

function wrongHeader(file: string, columns: readonly string[]): Refusal | undefined {
  const place = `${file}:1`
  if (columns[0] !== 'name' || columns[1] !== 'address')
    return refusal(
      `${place}: the columns are "${columns.join()}", expected "name,address"`,
      example,
    )
  for (const [index, column] of columns.entries()) {
    if (columns.indexOf(column) !== index)
      return refusal(`${place}: two columns are ${column}`, 'Remove one of them.')
    if (!/^[a-z_][a-z0-9_]*$/i.test(column))
      return refusal(
        `${place}: "${column}" is no name of a variable`,
        'Use letters, digits and _ only, and no digit first.',
      )
    if (/pass|secret|token/i.test(column))
      return refusal(
        `${place}: ${column} is a secret, and the inventory is no place for one`,
        'Remove the column, and put the value into Ansible Vault.',
      )
    if (column === 'ansible_host')
      return refusal(`${place}: ansible_host is the column address`, 'Remove one of them.')
  }
  return undefined
}

function rowOf(
  place: string,
  columns: readonly string[],
  values: readonly string[],
): Row | Refusal {
  const [name = '', address = '', ...others] = values
  if (values.some((value) => value.includes('"')))
    return refusal(
      `${place}: a value is quoted`,
      'Remove the quotes. A value that needs them belongs in host_vars.',
    )
  if (values.length !== columns.length)
    return refusal(
      `${place}: ${values.length} values, expected ${columns.length}`,
      'Write as many values as there are columns; a value can be empty.',
    )
  if (!/^[a-z0-9][\w.-]*$/i.test(name) || /^(?:all|ungrouped|winnode)$/.test(name))
    return refusal(
      `${place}: "${name}" is no name of a machine`,
      'Use letters, digits, dots, - and _ only, and none of the groups all, ungrouped and winnode.',
    )
  if (address !== '' && !isAddress(address))
    return refusal(
      `${place}: "${address}" is no address`,
      'Write an IP address or a DNS name, without a port, or nothing where the name is one.',
    )
  const template = others.find((value) => /\{[{%#]/.test(value))
  if (template !== undefined)
    return refusal(`${place}: Ansible takes ${template} for a template`, 'Remove {{, {% and {#.')
  const control = others.find((value) => /\p{Cc}/u.test(value))
  if (control !== undefined)
    return refusal(`${place}: a value has a control character`, 'Remove it.')
  const variables = columns.slice(2).flatMap((column, index) => {
    const value = others[index] ?? ''
    return value === '' ? [] : [[column, value] as const]
  })
  return { place, name, address, variables: Object.fromEntries(variables) }
}

/** Digits and dots alone are an IP address, never a DNS name. */
function isAddress(text: string): boolean {
  if (text.includes(':') || /^[\d.]+$/.test(text)) return parseAddress(text) !== undefined
  return (
    text.length <= 253 &&
    /^[a-z0-9](?:[\w-]*[a-z0-9])?(?:\.[a-z0-9](?:[\w-]*[a-z0-9])?)*$/i.test(text)
  )
}
