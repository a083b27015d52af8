// The examples that get a token and credentials from a secret store: what they request, write, print and protect.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { t, type Test } from 'tap'
import { parse } from 'yaml'
import { zipOf } from '../../src/targets/archive.ts'
import { userdata } from '../../src/targets/userdata.ts'
import { token } from '../host/course.ts'
import { credentials, everyKind } from '../host/every-kind.ts'
import { trouble, type Host, type Run } from '../host/host.ts'
import { scenario } from '../host/stage.ts'
import { root } from '../tools/run.ts'
import { bundleIn, targetInput, withTargets } from '../tools/targets.ts'

const folder = path.join(root, 'docs/secrets')
const example = (name: string) => readFileSync(path.join(folder, `${name}.ps1`), 'utf8')
const names = readdirSync(folder).map((name) => path.basename(name, '.ps1'))

t.test('the examples protect files in the same way, and the page names each', (t) => {
  const functions = (name: string) =>
    new Map(
      [...example(name).matchAll(/^function (\S+) \{\n[^]*?\n\}\n/gm)].map(([text, of]) => [
        of,
        text,
      ]),
    )
  const first = functions('azure-key-vault')
  t.strictSame([...first.keys()], ['Save-NodeSecret', 'Get-NodeAnswer'])
  const page = readFileSync(path.join(root, 'docs/user-data-secrets.md'), 'utf8')
  for (const name of names) {
    for (const [of, text] of functions(name)) t.equal(text, first.get(of), `${name}: ${of}`)
    t.match(page, `](secrets/${name}.ps1)`)
  }
  t.end()
})

const tokenFile = 'C:\\etc\\kubernetes\\bootstrap-token'

/** What the store holds, by the path on the machine. */
type Secrets = Readonly<Record<string, string>>

/** The example with the files of this machine, as a user would edit it. */
function edited(name: string, secrets: Secrets): string {
  const rows = Object.keys(secrets).map((file, index) => `        '${file}' = 'secret-${index}'`)
  const text = example(name).replace(/(?<=\n\$files = @\{\n)[^]*?(?=\n\})/, rows.join('\n'))
  return text.replace(/'\\\\[^']*'/, String.raw`'C:\share'`)
}

/** Answers as metadata and stores do, with the identity's rights missing at first. */
async function store(t: Test, secrets: Secrets) {
  const values = Object.values(secrets)
  const requests: string[] = []
  let refusals = 1
  const access = { access_token: 'of-the-machine' }
  const bearer = 'Bearer of-the-machine'
  const valueOf = (of: RegExp, rest: readonly string[]) =>
    values[Number(of.exec(rest.join('/'))?.[1])] ?? 'no such secret'
  const server = createServer(({ url = '', headers }, response) => {
    requests.push(url)
    const { pathname, searchParams } = new URL(url, 'http://store')
    const [, host, ...rest] = pathname.split('/')
    const isAllowed = headers.authorization === bearer && refusals-- <= 0
    const answers: Readonly<Record<string, () => object | false>> = {
      '169.254.169.254': () =>
        headers['metadata'] === 'true' &&
        rest.join('/') === 'metadata/identity/oauth2/token' &&
        searchParams.get('api-version') === '2018-02-01' &&
        searchParams.get('resource') === 'https://vault.azure.net' &&
        access,
      'metadata.google.internal': () =>
        headers['metadata-flavor'] === 'Google' &&
        rest.join('/') === 'computeMetadata/v1/instance/service-accounts/default/token' &&
        access,
      'web.vault.azure.net': () => {
        const value = valueOf(/^secrets\/secret-(\d+)$/, rest)
        return isAllowed && searchParams.get('api-version') === '7.4' && { value }
      },
      'secretmanager.googleapis.com': () => {
        const secret = /^v1\/projects\/example\/secrets\/secret-(\d+)\/versions\/latest:access$/
        const data = Buffer.from(valueOf(secret, rest)).toString('base64')
        return isAllowed && { payload: { data } }
      },
    }
    const body = answers[host ?? '']?.()
    response.writeHead(body ? 200 : 403, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { requests, url: `http://127.0.0.1:${address.port}` }
}

/** Replaces what a cloud supplies: requests go to the store on loopback, the cmdlet of AWS reads a table. */
async function standIns(host: Host, url: string, secrets: Secrets): Promise<void> {
  const parameters = Object.fromEntries(
    Object.values(secrets).map((value, index) => [`secret-${index}`, value]),
  )
  await host.ps(
    `$global:Store = $with.url
    $global:Parameters = $with.parameters
    function global:Invoke-RestMethod {
      param([string] $Uri, [object] $Headers, [switch] $UseBasicParsing)
      if (-not $UseBasicParsing) { throw 'the engine of Internet Explorer is not available' }
      $to = $Uri -replace '^https?:/', $global:Store
      Microsoft.PowerShell.Utility\\Invoke-RestMethod -Uri $to -Headers $Headers
    }
    function global:Get-SSMParameter {
      param([string] $Region, [string] $Name, [bool] $WithDecryption)
      if ($Region -ne 'eu-central-1' -or -not $WithDecryption) { throw 'the value is encrypted' }
      [pscustomobject] @{ Value = $global:Parameters.$Name }
    }`,
    { url, parameters },
  )
}

const onDrive = (drive: string, file: string) =>
  path.join(drive, file.slice('C:\\'.length).replaceAll('\\', '/'))

/** Writes what a share of files would contain. */
function share(drive: string, secrets: Secrets): void {
  mkdirSync(path.join(drive, 'share'))
  writeFileSync(path.join(drive, 'share/web.zip'), 'the archive')
  for (const [index, value] of Object.values(secrets).entries())
    writeFileSync(path.join(drive, `share/secret-${index}`), `${value}\n`)
}

const sddl = (host: Host, file: string) =>
  host.ps<string>('(Get-Acl -LiteralPath $with.file).Sddl', { file })

const said = ({ text, errors, calls }: Run) => [text, ...errors, ...calls].join('\n')

scenario('each example writes protected files, and can be rerun', async (t, { host, machine }) => {
  const secrets = {
    [tokenFile]: token,
    'C:\\etc\\kubernetes\\kube-proxy.token': 'eyJ-of-kube-proxy',
    'C:\\new folder\\flannel.conf': 'apiVersion: v1\nusers: []',
  }
  for (const name of names) {
    rmSync(path.join(t.testdirName, 'c'), { recursive: true, force: true })
    const drive = await machine(everyKind())
    const { url, requests } = await store(t, secrets)
    await standIns(host, url, secrets)
    share(drive, secrets)
    mkdirSync(path.join(drive, 'one'))
    writeFileSync(path.join(drive, 'one/One-WinNode.ps1'), edited(name, secrets))
    for (const again of [false, true]) {
      const run = await host.talk('One' as 'Install', {}, 'C:\\one')
      t.match(run, { code: 0, errors: [] }, `${name}: ${said(run)}`)
      for (const [file, value] of Object.entries(secrets)) {
        t.equal(readFileSync(onDrive(drive, file), 'utf8'), value, `${name}: ${file}`)
        t.match(await sddl(host, file), /^O:BA.*D:P(?:AI)?(?:\(A;;FA;;;(?:SY|BA)\)){2}$/, name)
        t.notMatch(said(run), value, `${name} prints no secret`)
      }
      t.notOk(existsSync(path.join(drive, 'one/secret.new')), name)
      // A token of before, and an access list that another program changed.
      if (!again) writeFileSync(onDrive(drive, tokenFile), 'old')
    }
    const asked = requests.length > 0
    t.equal(asked, /key-vault|secret-manager/.test(name), `${name}: ${requests.join()}`)
    const bundle = path.join(drive, 'winnode/web.zip')
    t.equal(existsSync(bundle), name === 'smb-share', 'only a share needs no other program')
  }
})

scenario('user data runs scripts of the user first, and joins', async (t, { host, machine }) => {
  const document = everyKind()
  const steps = document.steps.map((step) => (step.id === 'joined' ? { ...step, tokenFile } : step))
  const drive = await machine({ ...document, steps })
  const files = credentials.kubeadm.map((file) => {
    const provided = path.join(`${drive}.provided`, path.win32.basename(file))
    return [file, existsSync(provided) ? readFileSync(provided, 'utf8') : 'users: []'] as const
  })
  const secrets = { [tokenFile]: token, ...Object.fromEntries(files) }
  share(drive, secrets)
  const bundle = bundleIn(path.join(drive, 'win-node'))
  rmSync(path.join(drive, 'win-node'), { recursive: true })
  const scripts: Readonly<Record<string, string>> = {
    'a b/first.ps1': `[void] $notSet.Nothing\nif (Test-Path -LiteralPath C:\\fail) { exit 7 }\n'the first ran'`,
    '../shared/secrets.ps1': edited('smb-share', secrets),
  }
  const settings = {
    channels: ['ec2launch-v2'],
    bundleURL: 'C:\\winnode\\web.zip',
    join: true,
    before: Object.keys(scripts),
    after: ['broken.ps1', 'signals/aws.ps1'],
  } as const
  const whole = await targetInput('ws2022-flannel-overlay')
  const { facts } = withTargets(whole, { userdata: settings })
  const spec = { ...facts.spec, join: { ...facts.spec.join, tokenFile } }
  const signals: Readonly<Record<string, string>> = {
    'broken.ps1': 'exit 9',
    'signals/aws.ps1': readFileSync(path.join(root, 'docs/signals/aws-auto-scaling.ps1'), 'utf8'),
  }
  const read = (name: string) => Buffer.from(scripts[name] ?? signals[name] ?? '')
  await host.ps(
    `function global:Get-EC2InstanceMetadata { param([string] $Category) "the $Category" }
    function global:Complete-ASLifecycleAction {
      param($Region, $AutoScalingGroupName, $LifecycleHookName, $InstanceId, $LifecycleActionResult, [switch] $Force)
      Add-HostCall -Text "signal $AutoScalingGroupName $LifecycleHookName $InstanceId $LifecycleActionResult"
    }`,
  )
  const signal = (how: string) => `signal web winnode-joined the InstanceId ${how}`
  const signalled = ({ calls }: Run) => calls.filter((call) => call.startsWith('signal '))
  const made = await userdata.make({ ...whole, bundle, read, facts: { ...facts, spec } })
  if (made.kind === 'refused') throw new Error(JSON.stringify(made.refusals))
  const archive = made.files.find((file) => file.path.endsWith('.zip'))?.content ?? ''
  t.strictSame(archive, zipOf(bundle))
  writeFileSync(path.join(drive, 'share/web.zip'), archive)
  t.match(made.next.join('\n'), /let machines get \S+\.zip as C:\\winnode\\web\.zip \(sha256 /)
  const [file] = made.files
  const text: string = parse(Buffer.from(file?.content ?? '').toString()).tasks[0].inputs[0].content
  mkdirSync(path.join(drive, 'one'))
  writeFileSync(path.join(drive, 'one/One-WinNode.ps1'), text)
  const runs: string[] = []
  const run = async () => {
    const done = await host.talk('One' as 'Install', {}, 'C:\\one')
    runs.push(said(done))
    return done
  }

  writeFileSync(path.join(drive, 'fail'), '')
  const failed = await run()
  t.equal(failed.code, 1)
  t.match(failed.errors.join(), /1-first\.ps1:[\s|]+exit[\s|]+code[\s|]+7/)
  t.notOk(existsSync(onDrive(drive, tokenFile)), 'the second did not run')
  t.strictSame(signalled(failed), [signal('ABANDON')], 'the end is signalled')
  t.match(failed.errors.join(), /1-broken\.ps1:[\s|]+exit[\s|]+code[\s|]+9/)
  t.notOk(existsSync(path.join(drive, 'winnode')), 'nor did Install')
  rmSync(path.join(drive, 'fail'))

  let last = await run()
  for (let left = 5; left > 0 && last.code === 3010; left -= 1) {
    t.strictSame(signalled(last), [], 'a restart is no end')
    await host.restart()
    last = await run()
  }
  t.match(last, { code: 0, errors: [/1-broken\.ps1/] }, runs.join('\n'))
  t.strictSame(signalled(last), [signal('CONTINUE')])
  t.match(last.text, 'the first ran')
  const [unpacked] = readdirSync(path.join(drive, 'ProgramData')).filter((one) =>
    one.startsWith('winnode-bundle-'),
  )
  const test = await host.run('Test', {}, `C:\\ProgramData\\${unpacked}`)
  t.equal(trouble(test.result), '', 'a node that joined')
  t.notOk(existsSync(onDrive(drive, tokenFile)), 'Join deleted the token')
  const again = await run()
  t.match(again, { code: 0, text: '', calls: [] }, 'nothing runs after success')
  const log = readFileSync(path.join(drive, 'var/log/winnode/winnode.log'), 'utf8')
  for (const shown of [...runs, log, ...made.files.map(({ content }) => String(content))])
    t.notMatch(shown, token)
})
