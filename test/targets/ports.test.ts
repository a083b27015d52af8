// Ports: the table of docs/pipelines/README.md is what the bundles open in the firewall.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { backendsOf, cniOf, everyCni } from '../../src/cni/index.ts'
import type { Facts } from '../../src/model/facts.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Plan } from '../../src/model/plan.ts'
import { compileBuiltin, requiredFieldsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

/** The addresses of each group of clients, so that a rule shows for which of them it is. */
const clients = {
  networkFrom: '192.0.2.1/32',
  kubeletFrom: '192.0.2.2/32',
  healthFrom: '192.0.2.3/32',
  metricsFrom: '192.0.2.4/32',
  nodePortsFrom: '192.0.2.5/32',
} as const

const firewall = Object.fromEntries(Object.entries(clients).map(([name, from]) => [name, [from]]))

/** A built-in profile with the fields that it requires. */
function compiled(profile: string, more: JsonObject = {}): { plan: Plan; facts: Facts } {
  const own = requiredFieldsOf(profile)
  const { plan, facts, findings } = compileBuiltin(profile, { host: { firewall } }, own, more)
  if (!plan) throw new Error(`${profile}: ${findings.map(({ id }) => id).join()}`)
  return { plan, facts }
}

/** What a bundle opens for some clients: `UDP 4789`. */
function opened({ steps }: Plan, from: string): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === 'firewallRule' && step.from.includes(from)
      ? [`${step.protocol} ${step.ports}`]
      : [],
  )
}

/** What the built-in profiles open between nodes, by plugin, mode and backend. */
const builtin = new Map(
  readdirSync(path.join(root, 'profiles'))
    .map((file) => file.replace(/\.yaml$/, ''))
    // A provider's image opens ports by itself.
    .filter((name) => name !== 'base' && name !== 'ws2022-eks')
    .flatMap((name) => {
      const { cni, mode, backend } = compiled(name).facts.spec.network
      const row = cniOf(cni).modes[mode]
      // Antrea's other tunnels have no built-in profile; Calico's backends do, with the Windows features that they need.
      const backends = cni === 'antrea' && row ? backendsOf(row) : [backend]
      return backends.map((one) => {
        const { plan } = compiled(name, one === backend ? {} : { network: { backend: one } })
        return [[cni, mode, one].join(), opened(plan, clients.networkFrom)] as const
      })
    }),
)

/** The rows of all tables below the heading, without their heads. */
function documented(): readonly string[] {
  const page = readFileSync(path.join(root, 'docs/pipelines/README.md'), 'utf8')
  const section = page.split('\n## ').find((one) => one.startsWith('Ports\n')) ?? ''
  return [...section.matchAll(/^\|(.*)\|\n(?!\| *-)/gm)].flatMap(([, row = '']) => {
    const cells = row.split('|').map((cell) => cell.trim())
    return /^-+$/.test(cells[0] ?? '') ? [] : [cells.join(' | ')]
  })
}

t.test('the table of ports is what the plugins open between nodes', (t) => {
  const rows = everyCni
    .filter(({ id, image }) => id !== 'none' && !image)
    .flatMap(({ id, title, modes }) =>
      Object.entries(modes).flatMap(([mode, row]) =>
        backendsOf(row).map((backend) => {
          const open = builtin.get([id, mode, backend].join())
          t.ok(open, `a profile of ${id}, ${mode}, ${backend}`)
          return `${title} | \`${mode}\` | \`${backend}\` | ${open?.length ? open.join(', ') : 'nothing'}`
        }),
      ),
    )
  t.ok(rows.length >= 7, 'each plugin, mode and backend')
  t.strictSame(
    documented().filter((row) => row.split(' | ').length === 4),
    [...rows, 'other (`cni: none`) |  |  | `network.none.openPorts`'],
  )
  t.end()
})

t.test('and what they open for clients outside of the nodes', (t) => {
  const { plan } = compiled('ws2022-flannel-overlay', {
    cluster: { windowsExporter: { enabled: true } },
  })
  const rows = Object.entries(clients)
    .filter(([name]) => name !== 'networkFrom')
    .map(([name, from]) => `\`host.firewall.${name}\` | ${opened(plan, from).join(', ')}`)
  const found = documented().filter((row) => row.startsWith('`host.firewall.'))
  t.strictSame(
    found.map((row) => row.split(' | ').slice(0, 2).join(' | ')),
    rows,
  )
  t.end()
})
