// Exec-plugin: asks the program that a kubeconfig names for credentials; its output is never shown.
//
// https://github.com/kubernetes/client-go/blob/master/plugin/pkg/client/auth/exec/exec.go
import type { Access } from './access.ts'
import { concealing } from './conceal.ts'
import { answerOf, type Given } from './exec-answer.ts'
import type { ExecPlugin } from './kubeconfig/entries.ts'
import { ClusterProblem } from './problem.ts'
import { run } from './run-program.ts'
import { shownCommand } from './shown-command.ts'

export interface AskPlugin {
  /** May the program run? It is shown with its arguments, without values that may be secrets. */
  readonly allow: (command: string) => Promise<boolean>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds; a plugin that logs in waits for a person no longer. */
  readonly limit: number
  readonly signal: AbortSignal
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

export async function runPlugin(
  plugin: ExecPlugin,
  access: Access,
  ask: AskPlugin,
): Promise<Given> {
  const { command, args, apiVersion } = plugin
  if (!versions.includes(apiVersion))
    throw problem(`it has the apiVersion ${JSON.stringify(apiVersion)}`, [
      `those are ${versions.join(' and ')}`,
    ])
  if (plugin.interactiveMode === 'Always')
    throw problem('it wants to talk to a person at the terminal', [
      'log in with kubectl first, or use a user with a token',
    ])
  const shown = shownCommand(command, args)
  if (!(await ask.allow(shown))) throw problem(`${shown} was not allowed to run`)
  const outcome = await run(command, args, {
    env: { ...ask.env, ...ownEnv(plugin), KUBERNETES_EXEC_INFO: question(plugin, access) },
    limit: ask.limit,
    signal: ask.signal,
  })
  switch (outcome.kind) {
    case 'absent':
      throw problem(`${command} is not there, or cannot be run`, [...absent, ...hintOf(plugin)])
    case 'late':
      throw problem(`${command} did not end within ${ask.limit / 1000} seconds`, again)
    case 'stopped':
      throw problem(`${command} was stopped`)
    case 'too-long':
      throw problem(`${command} wrote more than credentials`)
    case 'ended':
      if (outcome.code !== 0) throw problem(`${command} failed with ${outcome.said}`, again)
      return answerOf(outcome.stdout, apiVersion, (why) => problem(`${command} ${why}`))
  }
}

const again = ['run a kubectl command with this context to see what it says']
const absent = [
  process.platform === 'win32'
    ? 'it has to be an .exe: a .cmd or .bat is not run'
    : 'install it, or add its folder to PATH',
]

/** For people, by whoever wrote the kubeconfig. */
function hintOf({ installHint }: ExecPlugin): readonly string[] {
  return installHint === '' ? [] : [`the kubeconfig says: ${concealing([])(installHint)}`]
}

function problem(message: string, hints: readonly string[] = []): ClusterProblem {
  return new ClusterProblem('credentials', `no credentials from the exec plugin: ${message}`, hints)
}

/** Standard input stays with winnode, so a plugin never is interactive. */
function question({ apiVersion, provideClusterInfo }: ExecPlugin, access: Access): string {
  const spec = provideClusterInfo ? { cluster: clusterInfo(access) } : {}
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion,
    spec: { ...spec, interactive: false },
  })
}

function clusterInfo({ server, ca, cluster }: Access) {
  return {
    server: server.href.replace(/\/$/, ''),
    ...(cluster.tlsServerName === '' ? {} : { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(cluster.proxyURL === '' ? {} : { 'proxy-url': cluster.proxyURL }),
    ...(cluster.disableCompression ? { 'disable-compression': true } : {}),
    config: cluster.execConfig ?? null,
  }
}

function ownEnv({ env }: ExecPlugin): Readonly<Record<string, string>> {
  return Object.fromEntries(env.map(({ name, value }) => [name, value]))
}
