// Runs every block of cluster/README.md in order, and checks the effect of each.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { valueAt } from '../../src/model/json.ts'
import { sha256 } from './bundle.ts'
import {
  blocksOf,
  get,
  made,
  namesOf,
  netConfBefore,
  netConfOf,
  nodesOf,
  pathsOf,
  runBlocks,
  type Shell,
} from './shell.ts'

/** What must be so after a block that printed this. */
type Effect = (t: Test, shell: Shell, printed: string) => void | Promise<void>
const nothing: Effect = () => undefined

/** Each block that a shell runs, by its first command. */
const commands: readonly (readonly [name: string, block: string, effect: Effect])[] = [
  [
    'the usage',
    'sh cluster/prepare.sh --help',
    (t, _shell, printed) => t.match(printed, /^Usage: sh cluster\/prepare\.sh COMMAND/),
  ],
  ['the manifests', 'sh cluster/prepare.sh apply', everythingApplied],
  [
    'flannel before the change',
    'sh cluster/prepare.sh compare-flannel',
    (t, shell, printed) => {
      const { Type } = wantedOf(shell).Backend
      t.match(
        printed,
        /^FIELD +CLUSTER +BUNDLE\nNetwork +10\.244\.0\.0\/16 +10\.244\.0\.0\/16 +same$/m,
      )
      const vxlan =
        /^Type +vxlan +vxlan +same\nVNI +1 +4096 +DIFFERS\nPort +8472 +4789 +DIFFERS\nDirectRouting +false +false +same\nGBP +false +false +same$/m
      t.match(printed, Type === 'vxlan' ? vxlan : /^Type +vxlan +host-gw +DIFFERS$/m)
      t.match(printed, /linux-a +vxlan +\{"VNI":1,"VtepMAC"/, 'what nodes announce')
    },
  ],
  [
    'an edited copy',
    'sh cluster/prepare.sh edit-flannel',
    (t, _shell, printed) => t.notMatch(printed, 'DIFFERS'),
  ],
  [
    'the change',
    'sh cluster/prepare.sh change-flannel',
    async (t, shell) => {
      t.strictSame(await netConfOf(shell), wantedOf(shell))
      t.notMatch(await pathsOf(shell), /\/pods\/kube-flannel-ds/, 'flanneld restarts')
    },
  ],
  [
    'Antrea on Linux',
    'sh cluster/prepare.sh show-antrea',
    (t, _shell, printed) => t.match(printed, 'trafficEncapMode: encap'),
  ],
  [
    'Antrea on Windows',
    'sh cluster/prepare.sh configure-antrea',
    async (t, shell) => {
      const map = '/api/v1/namespaces/kube-system/configmaps/antrea-windows-config'
      const data = valueAt(await get(shell.host, map), ['data'])
      t.match(data, { 'antrea-cni.conflist': '{}' }, 'the rest stays')
      const conf = readFileSync(
        path.join(shell.bundle, 'cluster/linux-side/antrea-agent.conf'),
        'utf8',
      )
      t.equal(valueAt(data, ['antrea-agent.conf']), conf)
    },
  ],
  [
    'Calico before the change',
    'sh cluster/prepare.sh compare-calico',
    (t, _shell, printed) =>
      t.match(
        printed,
        /^CLUSTER\n[^]*\nbgp (?:Disabled\nipam Calico\n[^]*"encapsulation":"VXLAN"|Disabled\nipam HostLocal\n[^]*"encapsulation":"None"|Enabled\n[^]*"encapsulation":"None")[^]*\nBUNDLE\n/,
      ),
  ],
  ['Calico with Windows nodes', 'sh cluster/prepare.sh configure-calico', calicoConfigured],
  ['credentials', 'sh cluster/prepare.sh credentials', credentialsWork],
  [
    'a token',
    'sh cluster/prepare.sh token',
    (t, shell) => secret(t, shell, 'token', 'abcdef.0123456789abcdef\n'),
  ],
  ['a bootstrap kubeconfig', 'sh cluster/prepare.sh bootstrap-kubeconfig', bootstrapTokenEnds],
  ['requests for serving certificates', 'kubectl get csr', nothing],
  ['what any bundle created', 'kubectl get clusterroles', nothing],
]
const known = (text: string, block: string) => new RegExp(`^${block}\\b`).test(text)
/** What a person does only to go back. */
const undo = 'sh cluster/prepare.sh revert-flannel\n'

/** The part that differs between scripts: without names of a cluster or an account. */
export const scriptOf = ({ page, script }: Pick<Shell, 'page' | 'script'>): string =>
  sha256(
    [...blocksOf(page).map(({ text }) => text), script.replace(/^ *server=https:.*$/m, '')].join(
      '\n',
    ),
  )

/** Runs all blocks in order; the files for the nodes are beside the bundle then. */
export async function shellWalk(t: Test, shell: Shell): Promise<void> {
  const all = blocksOf(shell.page)
  t.strictSame(
    all.filter(({ language }) => language !== 'sh'),
    [],
    'all of it is for a shell',
  )
  const once = all.map(({ text }) => text).filter((text) => text !== undo)
  for (const text of once)
    t.equal(commands.filter(([, block]) => known(text, block)).length, 1, `known: ${text}`)
  const { code, stderr, printed } = await runBlocks(shell, once)
  t.equal(code, 0, stderr)
  for (const [at, text] of once.entries())
    for (const [name, block, effect] of commands)
      if (known(text, block)) await t.test(name, async (t) => effect(t, shell, printed[at] ?? ''))
  t.strictSame(
    namesOf(shell).filter((name) => /\.(new|try|csr)\b/.test(name) && name !== 'net-conf.new.json'),
    [],
    'nothing half done is left',
  )
}

/** After the change nothing differs; and the way back leads to what was before. */
export async function changedAndBack(t: Test, shell: Shell): Promise<void> {
  const again = await runBlocks(shell, ['sh cluster/prepare.sh compare-flannel'])
  t.equal(again.code, 0, again.stderr)
  t.notMatch(again.printed.join(''), 'DIFFERS', 'after the change there is none')
  const back = await runBlocks(shell, [undo])
  t.equal(back.code, 0, back.stderr)
  t.strictSame(await netConfOf(shell), netConfBefore)
}

/** The patches add to what there was: the pool stays. */
async function calicoConfigured(t: Test, shell: Shell): Promise<void> {
  const at = (name: string) => get(shell.host, name)
  const routed = !existsSync(path.join(shell.bundle, 'cluster/linux-side/calico-felix.json'))
  t.match(await at('/apis/operator.tigera.io/v1/installations/default'), {
    spec: {
      serviceCIDRs: ['10.96.0.0/12'],
      calicoNetwork: {
        windowsDataplane: 'HNS',
        ipPools: [{ encapsulation: routed ? 'None' : 'VXLAN' }],
      },
    },
  })
  t.match(await at('/apis/projectcalico.org/v3/felixconfigurations/default'), {
    spec: routed ? {} : { vxlanVNI: 4096 },
  })
  const hostLocal = !existsSync(path.join(shell.bundle, 'cluster/linux-side/calico-ipam.json'))
  t.match(await at('/apis/projectcalico.org/v3/ipamconfigurations/default'), {
    spec: { strictAffinity: !hostLocal },
  })
  const endpoint = '/api/v1/namespaces/tigera-operator/configmaps/kubernetes-services-endpoint'
  const port = valueAt(await at(endpoint), ['data', 'KUBERNETES_SERVICE_PORT'])
  t.match(shell.server, `:${JSON.stringify(port).slice(1, -1)}`)
}

function wantedOf({ bundle }: Shell) {
  return JSON.parse(
    readFileSync(path.join(bundle, 'cluster/linux-side/flannel-net-conf.json'), 'utf8'),
  )
}

async function everythingApplied(t: Test, shell: Shell): Promise<void> {
  const stored = await pathsOf(shell)
  for (const [, name = ''] of shell.page.matchAll(/^- `(cluster\/[\w-]+\.yaml)`/gm)) {
    const text = readFileSync(path.join(shell.bundle, name), 'utf8')
    for (const document of parseAllDocuments(text)) {
      const { kind, metadata } = document.toJS()
      const at = stored.find((one) =>
        one.toLowerCase().includes(`/${pluralOf(String(kind).toLowerCase())}/${metadata.name}`),
      )
      t.ok(at, `${name}: ${kind} ${metadata.name}`)
    }
  }
}

/** runtimeclass, validatingadmissionpolicy: as paths of the API server have them. */
const pluralOf = (kind: string) => `${kind.replace(/s$/, 'se').replace(/y$/, 'ie')}s`

function secret(t: Test, shell: Shell, name: string, holds: string | RegExp): void {
  t.match(made(shell, name), holds, name)
  const { mode } = statSync(path.join(nodesOf(shell), name))
  t.equal(mode & 0o777, 0o600, `${name} is its owner's`)
}

function credentialsWork(t: Test, shell: Shell, printed: string): void {
  const calls = (name: string) => [
    ...shell.script.matchAll(new RegExp(`^  ${name} (winnode-\\S+) (\\S+) \\S+$`, 'gm')),
  ]
  t.equal(statSync(nodesOf(shell)).mode & 0o777, 0o700)
  t.equal(made(shell, '.gitignore'), '*\n')
  if (shell.script.includes('\ndiscovery() {'))
    t.match(made(shell, 'discovery.conf'), `server: ${shell.server}`)
  for (const [, account = '', name = ''] of calls('kubeconfig_for')) {
    secret(t, shell, name, `token: secret-of-${account}`)
    t.match(made(shell, name), `server: ${shell.server}`)
    t.match(
      made(shell, name),
      `certificate-authority-data: ${Buffer.from(shell.ca).toString('base64')}`,
    )
  }
  for (const [, , name = ''] of calls('token_for')) {
    secret(t, shell, name, /^token-of-winnode-\S+\n$/)
    t.match(printed, new RegExp(`/${name}, which expires at \\d{4}-\\d\\d-\\d\\dT`))
  }
  for (const [, , name = ''] of calls('certificate_for')) {
    secret(t, shell, `${name}.crt`, /^-----BEGIN CERTIFICATE-----/)
    secret(t, shell, `${name}.key`, /^-----BEGIN PRIVATE KEY-----/)
    t.match(printed, /^notAfter=/m)
  }
}

/** It is of the group that may join, and ends. */
async function bootstrapTokenEnds(t: Test, shell: Shell): Promise<void> {
  secret(t, shell, 'bootstrap-kubelet.conf', `server: ${shell.server}`)
  const at = (await pathsOf(shell)).find((one) => one.includes('/bootstrap-token-')) ?? ''
  const stored = await get(shell.host, at)
  t.match(stored, {
    stringData: {
      'auth-extra-groups': 'system:bootstrappers:winnode',
      expiration: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    },
  })
}
