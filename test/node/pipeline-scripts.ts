// The scripts beside a bundle: of Packer, of a first run, and of other targets, as they are rendered.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { TargetSettings } from '../../src/model/target-settings.ts'
import { targets } from '../../src/targets/index.ts'
import { root } from '../tools/run.ts'
import { targetInput, withTargets } from '../tools/targets.ts'

export interface PipelineScript {
  readonly name: string
  readonly text: string
}

const profile = 'ws2022-flannel-overlay'
const input = await targetInput(profile)

const read = () => Buffer.from('exit 0')

async function made(
  target: string,
  userdata: Partial<TargetSettings['userdata']>,
): Promise<ReadonlyMap<string, string>> {
  const answer = await (
    await targets[target]?.()
  )?.make(withTargets({ ...input, read }, { userdata }))
  if (answer?.kind !== 'made') throw new Error(`${target} is refused`)
  const text = (content: Uint8Array) => Buffer.from(content).toString()
  return new Map(answer.files.map(({ path: name, content }) => [name, text(content)]))
}

/** The scripts of an image that are rendered, not copied. */
async function images(): Promise<readonly PipelineScript[]> {
  const packer = {
    builder: 'azure-arm',
    cloudbaseInit: { version: '1.1.8', sha256: 'a'.repeat(64) },
    windowsUpdates: { categories: ['SecurityUpdates'], kbs: ['KB5044281'] },
  } as const
  const unset = { ...withTargets(input, { packer }), isSet: () => false }
  const answer = await (await targets['packer']?.())?.make(unset)
  if (answer?.kind !== 'made') throw new Error('packer is refused')
  return answer.files.flatMap(({ path: name, content }) =>
    /(?:cloudbase-init|windows-updates)\.ps1$/.test(name)
      ? [{ name: path.basename(name), text: Buffer.from(content).toString() }]
      : [],
  )
}

/** What stands between the tags of user data, without them. */
const untagged = (text: string) => /<powershell>\n([^]*)<\/powershell>/.exec(text)?.[1] ?? ''

export async function pipelineScripts(): Promise<readonly PipelineScript[]> {
  const packer = path.join(root, 'templates/packer')
  const own = readdirSync(packer)
    .filter((name) => name.endsWith('.ps1'))
    .map((name) => ({
      name: `packer/${name}`,
      text: readFileSync(path.join(packer, name), 'utf8'),
    }))
  const secrets = ['secrets', 'signals'].flatMap((folder) =>
    readdirSync(path.join(root, 'docs', folder)).map((name) => ({
      name: `${folder}/${name}`,
      text: readFileSync(path.join(root, 'docs', folder, name), 'utf8'),
    })),
  )
  const firstRun = path.join(root, 'test/first-run')
  const measures = readdirSync(firstRun)
    .filter((name) => name.endsWith('.ps1'))
    .map((name) => ({
      name: `first-run/${name}`,
      text: readFileSync(path.join(firstRun, name), 'utf8'),
    }))
  const single = await made('single-file', {})
  const carried = await made('userdata', { channels: ['gce'] })
  const bundleURL = 'C:\\winnode\\node.zip'
  const stored = await made('userdata', {
    channels: ['gce'],
    bundleURL,
    before: ['own.ps1'],
    after: ['own.ps1'],
  })
  const fetched = await made('userdata', { join: false, bundleURL: 'https://a.example.com/n.zip' })
  const text = (name: string) => fetched.get(name) ?? ''
  const v2 = parse(text('ec2launch-v2/user-data.yaml'))
  const image = await images()
  return [
    ...own,
    ...image,
    ...measures,
    ...secrets,
    { name: 'single-file.ps1', text: single.get(`${profile}.ps1`) ?? '' },
    { name: 'carried.ps1', text: carried.get('gce/startup-script.ps1') ?? '' },
    { name: 'stored.ps1', text: stored.get('gce/startup-script.ps1') ?? '' },
    { name: 'ec2.ps1', text: untagged(text('ec2/user-data.txt')) },
    { name: 'ec2launch-v2.ps1', text: v2.tasks[0].inputs[0].content },
    { name: 'azure.ps1', text: text('azure/custom-data.ps1') },
  ]
}
