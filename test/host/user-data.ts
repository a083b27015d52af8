// The first start of a machine with Cluster API and cloudbase-init: user data from a template, files, a batch file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { kubeadmElsewhere } from './course.ts'
import { scripts, type Host, type Script } from './host.ts'
import { processUserData } from '../judge/cloudbase-init/user-data.ts'
import type { Written } from '../judge/cloudbase-init/write-files.ts'

interface File {
  readonly path: string
  readonly permissions?: string
  readonly encoding?: string
  readonly content?: string
  readonly contentFrom?: { readonly secret: { readonly name: string; readonly key: string } }
}

/** `spec.template.spec` of a KubeadmConfigTemplate, as far as it is used here. */
export interface KubeadmConfig {
  readonly files?: readonly File[]
  readonly joinConfiguration: { readonly nodeRegistration: { readonly name: string } }
  readonly preKubeadmCommands: readonly string[]
  readonly postKubeadmCommands: readonly string[]
}

/** Keys of Secrets, such as `NAME/KEY`. */
export type Secrets = Readonly<Record<string, string>>

const block = (text: string) =>
  text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')

/**
 * The order, the indentation and the quoting of
 * https://github.com/kubernetes-sigs/cluster-api/tree/main/bootstrap/kubeadm/pkg/cloudinit (node.go, files.go, commands.go).
 */
export function userData(config: KubeadmConfig, secrets: Secrets): string {
  const { files = [], joinConfiguration, preKubeadmCommands, postKubeadmCommands } = config
  const written = files.map((file) => {
    const { secret } = file.contentFrom ?? {}
    const content = secret ? secrets[`${secret.name}/${secret.key}`] : file.content
    if (content === undefined)
      throw new Error(`secret references non-existent secret key: ${secret?.key}`)
    const encoding = file.encoding === undefined ? '' : `    encoding: "${file.encoding}"\n`
    return `-   path: ${file.path}\n${encoding}    permissions: '${file.permissions ?? ''}'\n    content: |\n${block(content)}\n`
  })
  const join = `-   path: /run/kubeadm/kubeadm-join-config.yaml
    permissions: '0640'
    content: |
${block(`nodeRegistration:\n  name: '${joinConfiguration.nodeRegistration.name}'`)}
-   path: /run/cluster-api/placeholder
    permissions: '0640'
    content: "This placeholder file is used to create the /run/cluster-api sub directory"
`
  // Of Go's %q and of JSON, what is ASCII looks the same.
  const commands = (lines: readonly string[]) =>
    lines.map((line) => `  - ${JSON.stringify(line)}\n`).join('')
  const kubeadm =
    'kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete'
  return `## template: jinja
#cloud-config
write_files:
${written.join('')}${join}runcmd:
${commands(preKubeadmCommands)}  - ${kubeadm}
${commands(postKubeadmCommands)}`
}

export interface FirstStart {
  /** Exit code of the batch file; the log of cloudbase-init has it. */
  readonly code: number
  /** Which lines ran. */
  readonly ran: readonly string[]
  /** Whether cloudbase-init restarts the machine, and processes all of it again. */
  readonly again: boolean
  /** Whether Cluster API takes the machine for started. */
  readonly success: boolean
}

/**
 * As cloudbase-init does it on a machine that its metadata call `hostName`: files first, then one batch file. `PATH` is
 * that of cloudbase-init, which it has from the start of the machine.
 */
export async function firstStart(
  host: Host,
  drive: string,
  text: string,
  hostName: string,
  PATH = 'C:\\Windows\\System32;C:\\k',
): Promise<FirstStart> {
  const sentinel = onDrive(drive, '/run/cluster-api/bootstrap-success.complete')
  const ran: string[] = []
  let code = 0
  const processed = (exitCode: number) =>
    processUserData(Buffer.from(text), () => exitCode, hostName)
  for (const done of processed(0).does)
    if ('write' in done) writeFile(drive, done)
    else if ('run' in done) code = await runBatch(host, drive, { text: done.text, PATH }, ran)
    else throw new Error(`unknown call: ${done.call}`)
  const { reboot, runAgain } = processed(code)
  return { code, ran, again: reboot && runAgain, success: existsSync(sentinel) }
}

async function runBatch(
  host: Host,
  drive: string,
  { text, PATH }: { readonly text: string; readonly PATH: string },
  ran: string[],
): Promise<number> {
  let code = 0
  let folders = PATH
  const [, ...lines] = text.trimEnd().split('\r\n')
  for (const line of lines) {
    const [, set] = /^set PATH=(.*)$/.exec(line) ?? []
    if (set !== undefined) {
      folders = set.replaceAll('%PATH%', folders)
      continue
    }
    if (line.startsWith('kubeadm ') && !folders.split(';').includes('C:\\k')) {
      // cmd.exe's code for a program that it does not find; it continues with the next line.
      code = 9009
      continue
    }
    if (!line.startsWith('if '))
      ran.push(line.replace(/^powershell\.exe .* -File \S+\/(\S+(?: -Phase \S+)?).*$/, '$1'))
    const ended = await runLine(host, drive, line, code)
    code = ended.code
    if (ended.left) break
  }
  return code
}

/** A path without a drive is one of the drive that cloudbase-init runs on. */
const onDrive = (drive: string, name: string) =>
  path.join(drive, name.replace(/^C:/i, '').replaceAll('\\', '/'))

function writeFile(drive: string, { write, text }: Written): void {
  const to = onDrive(drive, write)
  mkdirSync(path.dirname(to), { recursive: true })
  writeFileSync(to, text)
}

/** What follows `||` runs where the line failed, and `exit /b` leaves the batch file with its code. */
const runs = /^(powershell\.exe [^%^&<>|"]*[^%^&<>|" ])(?: \|\| exit \/b (\d+))?$/
/** True for the code and all above it. */
const asks = /^if (not )?errorlevel (\d+) (?:if (not )?errorlevel (\d+) )?exit \/b (\d+)$/
const kubeadm = /^kubeadm join --config (\S+) +&& echo success > (\S+)$/

/** `level` is the code of the line before. */
async function runLine(host: Host, drive: string, line: string, level: number) {
  const [, program, failed] = runs.exec(line) ?? []
  if (program !== undefined) {
    const code = await runPowerShell(host, program)
    return code === 0 || failed === undefined
      ? { code, left: false }
      : { code: Number(failed), left: true }
  }
  const [, not, from, alsoNot, to = '0', end] = asks.exec(line) ?? []
  if (end !== undefined) {
    const first = level >= Number(from) === (not === undefined)
    const second = level >= Number(to) === (alsoNot === undefined) || !line.includes(' if ')
    return first && second ? { code: Number(end), left: true } : { code: level, left: false }
  }
  const [, config, sentinel = ''] = kubeadm.exec(line) ?? []
  if (config === undefined) throw new Error(`cmd.exe is not known to run ${line}`)
  const { nodeRegistration } = parse(readFileSync(onDrive(drive, config), 'utf8'))
  const { Code } = await kubeadmElsewhere(host, nodeRegistration.name)
  // `&&`: only where it ended well. The batch file goes on either way.
  if (Code === 0) writeFileSync(onDrive(drive, sentinel), 'success \r\n')
  return { code: Number(Code), left: false }
}

async function runPowerShell(host: Host, command: string): Promise<number> {
  const words = command.split(' ')
  const at = words.indexOf('-File')
  const file = words[at + 1] ?? ''
  const folder = file.replace(/\/[^/]*$/, '')
  // The script that copies the bundle prints no JSON.
  if (file.endsWith('/Receive-WinNode.ps1'))
    return (await host.talk('Receive' as Script, {}, folder)).code
  const name = scripts.find((script): script is Script => file.endsWith(`/${script}-WinNode.ps1`))
  if (at < 0 || !name) throw new Error(`powershell.exe is not known to run ${command}`)
  const parameters: Record<string, string | number> = {}
  for (let index = at + 2; index < words.length; index += 2) {
    const value = words[index + 1] ?? ''
    parameters[words[index]?.slice(1) ?? ''] = /^\d{1,6}$/.test(value) ? Number(value) : value
  }
  const { code } = await host.run(name, parameters, folder)
  return code
}
