// Fields of the target ansible: the machines of the inventory.
import * as v from 'valibot'
import { field, group, open, text } from '../../model/field.ts'

/** In names Ansible reads `[` and `:` as ranges of hosts and as ports. */
const host = text(
  /^[A-Za-z0-9][\w.-]*(,[A-Za-z0-9][\w.:-]*)?$/,
  'NAME or NAME,ADDRESS such as win-1,10.0.0.11',
)

const hosts = v.pipe(
  v.array(host),
  v.check((rows) => {
    const names = rows.map((row) => row.replace(/,.*/, ''))
    return new Set(names).size === names.length
  }, 'each machine once'),
  // With such a host Ansible finds no other machine, or none of the addresses.
  v.check(
    (rows) => rows.every((row) => !/^(?:all|ungrouped|winnode)(?:,|$)/.test(row)),
    'machines with other names than the groups all, ungrouped and winnode',
  ),
)

export const ansible = group(
  {
    inventory: field(hosts, [], {
      what: 'Machines of the inventory, each as NAME or NAME,ADDRESS.',
      why: 'Without them no inventory is written: use your own, with the machines in the group winnode.',
      when: 'with `--for ansible`',
      example: ['win-1,10.0.0.11', 'win-2.example.com'],
    }),
    inventoryFile: open(
      text(
        /^(?!\/)[\w. /-]+\.csv$/,
        'a relative path of a .csv, with letters, digits, blanks and ./_- only',
      ),
      {
        what: 'CSV file with the machines, instead of `inventory`, relative to the file that sets this field.',
        why: 'The first line is `name,address` and names of variables for Ansible, such as `ansible_port`. Values have no quotes and are no secrets.',
        when: 'with `--for ansible`',
        example: 'machines.csv',
      },
    ),
  },
  'An Ansible role.',
)
