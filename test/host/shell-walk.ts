// Runs every block of cluster/README.md in order, and checks the effect of each.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { parseAllDocuments } from 'yaml'
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

/** Each block that a shell runs, by what it begins with or holds. */
const commands: readonly (readonly [name: string, block: RegExp, effect: Effect])[] = [
  ['the manifests', /kubectl apply -f cluster\/\n$/m, everythingApplied],
  [
    'a folder for secrets',
    /bundle=\$PWD nodes=/,
    (t, shell) => {
      t.equal(statSync(nodesOf(shell)).mode & 0o777, 0o700)
      t.equal(made(shell, '.gitignore'), '*\n')
    },
  ],
  ['where flannel is', /^namespace=kube-flannel /, nothing],
  [
    'what flannel says today',
    /^said\(\) \{/,
    (t, shell, printed) => {
      const { Type } = wantedOf(shell).Backend
      t.match(
        printed,
        /^FIELD +CLUSTER +BUNDLE\nNetwork +10\.244\.0\.0\/16 +10\.244\.0\.0\/16 +same$/m,
      )
      const vxlan =
        /^Type +vxlan +vxlan +same\nVNI +1 +4096 +DIFFERS\nPort +8472 +4789 +DIFFERS\nDirectRouting +false +false +same\nGBP +false +false +same$/m
      t.match(printed, Type === 'vxlan' ? vxlan : /^Type +vxlan +host-gw +DIFFERS$/m)
    },
  ],
  [
    'what nodes announce',
    /^kubectl get nodes -o /,
    (t, _shell, printed) => t.match(printed, /linux-a +vxlan +\{"VNI":1,"VtepMAC"/),
  ],
  ['an edited copy', /^\$\{EDITOR:-vi\} net-conf\.new\.json$/m, nothing],
  ['how a change is made', /^use_net_conf\(\) \{/m, nothing],
  [
    'the change',
    /^compare net-conf\.new\.json NEW && use_net_conf net-conf\.new\.json$/m,
    async (t, shell) => {
      t.strictSame(await netConfOf(shell), wantedOf(shell))
      t.notMatch(await pathsOf(shell), /\/pods\/kube-flannel-ds/, 'flanneld restarts')
    },
  ],
  [
    'what Antrea says today',
    /get configmap antrea-config/,
    (t, _shell, printed) => t.match(printed, 'trafficEncapMode: encap'),
  ],
  [
    'the discovery file',
    /mv discovery\.conf\.new discovery\.conf$/m,
    (t, shell) => t.match(made(shell, 'discovery.conf'), `server: ${shell.server}`),
  ],
  ['the address', /^server=/, (t, { server }, printed) => t.match(printed, server)],
  ['kubeconfigs', /^kubeconfig_for\(\) \(/, kubeconfigsWork],
  [
    'tokens',
    /^token_for\(\) \(/,
    (t, shell, printed) => {
      for (const [, name = ''] of shell.page.matchAll(/^token_for \S+ (\S+) \S+$/gm)) {
        secret(t, shell, name, /^token-of-winnode-\S+\n$/)
        t.match(printed, new RegExp(`^${name} expires at \\d{4}-\\d\\d-\\d\\dT`, 'm'))
      }
    },
  ],
  [
    'certificates',
    /^certificate_for\(\) \(/,
    (t, shell, printed) => {
      secret(t, shell, 'kube-proxy.crt', /^-----BEGIN CERTIFICATE-----/)
      secret(t, shell, 'kube-proxy.key', /^-----BEGIN PRIVATE KEY-----/)
      t.match(printed, /^notAfter=/m)
    },
  ],
  [
    'a token',
    /kubeadm token create/,
    (t, shell) => secret(t, shell, 'token', 'abcdef.0123456789abcdef\n'),
  ],
  ['a bootstrap kubeconfig', /^bootstrap_kubeconfig\(\) \(/m, bootstrapTokenEnds],
  ['requests for serving certificates', /^kubectl get csr /, nothing],
  ['what any bundle created', /^kubectl get clusterroles,/, nothing],
]
/** What a person does only to go back. */
const undo = /^use_net_conf net-conf\.before\.json\n$/

/** The part that differs between scripts: without names of a cluster or an account. */
export const scriptOf = (page: string): string =>
  sha256(
    blocksOf(page)
      .map(({ text }) => text.replace(/^server=https:.*$/m, ''))
      .join('\n'),
  )

/** Runs all blocks in order; the files for the nodes are beside the bundle then. */
export async function shellWalk(t: Test, shell: Shell): Promise<void> {
  const all = blocksOf(shell.page)
  t.strictSame(
    all.filter(({ language }) => language !== 'sh'),
    [],
    'all of it is for a shell',
  )
  const once = all.map(({ text }) => text).filter((text) => !undo.test(text))
  for (const text of once)
    t.equal(commands.filter(([, block]) => block.test(text)).length, 1, `known: ${text}`)
  const { code, stderr, printed } = await runBlocks(shell, once)
  t.equal(code, 0, stderr)
  for (const [at, text] of once.entries())
    for (const [name, block, effect] of commands)
      if (block.test(text)) await t.test(name, async (t) => effect(t, shell, printed[at] ?? ''))
  t.strictSame(
    namesOf(shell).filter((name) => /\.(new|try|csr)\b/.test(name) && name !== 'net-conf.new.json'),
    [],
    'nothing half done is left',
  )
}

/** After the change nothing differs; and the way back leads to what was before. */
export async function changedAndBack(t: Test, shell: Shell): Promise<void> {
  const texts = blocksOf(shell.page).map(({ text }) => text)
  const until = texts.findIndex(
    (text) => text.startsWith('${EDITOR') || text.includes('net-conf.before.json ]'),
  )
  const again = await runBlocks(shell, texts.slice(1, until))
  t.equal(again.code, 0, again.stderr)
  t.notMatch(again.printed.join(''), 'DIFFERS', 'after the change there is none')
  // A new shell: where flannel is, and what the function is.
  const define = texts.filter((text) => /^use_net_conf\(\) \{/m.test(text))
  const back = await runBlocks(shell, [
    ...texts.slice(1, 3),
    ...define,
    ...texts.filter((text) => undo.test(text)),
  ])
  t.equal(back.code, 0, back.stderr)
  t.strictSame(await netConfOf(shell), netConfBefore)
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
        one
          .toLowerCase()
          .includes(`/${String(kind).toLowerCase().replace(/s$/, 'se')}s/${metadata.name}`),
      )
      t.ok(at, `${name}: ${kind} ${metadata.name}`)
    }
  }
}

function secret(t: Test, shell: Shell, name: string, holds: string | RegExp): void {
  t.match(made(shell, name), holds, name)
  const { mode } = statSync(path.join(nodesOf(shell), name))
  t.equal(mode & 0o777, 0o600, `${name} is its owner's`)
}

function kubeconfigsWork(t: Test, shell: Shell): void {
  const calls = [...shell.page.matchAll(/^kubeconfig_for (winnode-\S+) (\S+) \S+$/gm)]
  t.ok(calls.length > 0)
  for (const [, account = '', name = ''] of calls) {
    secret(t, shell, name, `token: secret-of-${account}`)
    t.match(made(shell, name), `server: ${shell.server}`)
    t.match(
      made(shell, name),
      `certificate-authority-data: ${Buffer.from(shell.ca).toString('base64')}`,
    )
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
