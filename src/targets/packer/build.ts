// The build block of a Packer template: its provisioners in order.
import { bundleFolder } from '../../model/layout.ts'
import type { TargetSettings } from '../../model/target-settings.ts'
import { expression, type Block, type Expression } from '../../render/hcl-text.ts'
import { beside } from './builder.ts'
import { hasUpdates } from './windows-updates.ts'

const folder = bundleFolder.replaceAll('\\', '/')

/** The result of verify.ps1, which Packer downloads. */
const result = 'C:/Windows/Temp/winnode-image.json'

/** Records build and revision of Windows at Install. */
const state = 'C:/ProgramData/winnode/state.json'

const inTemplateFolder = (name: string) => expression(beside(name))

/**
 * Runs a script file elevated, as Windows refuses servicing over plain WinRM. A file, as inline PowerShell would be
 * interpreted by HCL and Go templates first.
 */
function script(name: string, codes?: readonly number[]): Block {
  return elevated(inTemplateFolder(`scripts/${name}`), codes)
}

function elevated(path: Expression, codes: readonly number[] = [0]): Block {
  return {
    type: 'provisioner',
    labels: ['powershell'],
    attributes: {
      script: path,
      elevated_user: expression('build.User'),
      elevated_password: expression('build.Password'),
      valid_exit_codes: codes,
    },
  }
}

const upload: Block = {
  type: 'provisioner',
  labels: ['file'],
  attributes: { source: inTemplateFolder('bundle/'), destination: `${folder}/` },
}

const download = (source: string, name: string): Block => ({
  type: 'provisioner',
  labels: ['file'],
  attributes: { direction: 'download', source, destination: inTemplateFolder(name) },
})

function restart(minutes: number): Block {
  return {
    type: 'provisioner',
    labels: ['windows-restart'],
    attributes: { restart_timeout: `${minutes}m` },
  }
}

/** Updates offer others after a restart: the third run must find none. */
const updates: readonly Block[] = [
  script('windows-updates.ps1', [0, 3010]),
  restart(90),
  script('windows-updates.ps1', [0, 3010]),
  restart(90),
  script('windows-updates.ps1'),
]

/** What the profile adds to a build. */
interface BuildParts {
  /** `TYPE.NAME` of the source block. */
  readonly source: string
  /** The script that generalizes the image; `undefined` where the user supplies the source. */
  readonly sysprep: string | undefined
  readonly settings: TargetSettings['packer']
  readonly imageData: Readonly<Record<string, string | Expression>>
}

const digestOf = (file: string) => expression(`sha256(file(${beside(file)}))`)

/** Install ends with 3010 where it needs a restart; its second run must end with 0. */
export function buildBlock(parts: BuildParts): Block {
  const { source, sysprep, imageData } = parts
  const { windowsUpdates, cloudbaseInit, provision } = parts.settings
  const digests = provision.map((file) => [file, digestOf(file)] as const)
  return {
    type: 'build',
    attributes: { sources: [`source.${source}`] },
    blocks: [
      ...(hasUpdates(windowsUpdates) ? updates : []),
      script('prepare.ps1'),
      upload,
      script('install.ps1', [0, 3010]),
      restart(30),
      script('install.ps1'),
      ...provision.map((file) => elevated(inTemplateFolder(file))),
      ...(cloudbaseInit ? [script('cloudbase-init.ps1')] : []),
      script('verify.ps1'),
      download(result, 'result.json'),
      download(`${folder}/bom.json`, 'bom.json'),
      download(state, 'state.json'),
      script('clean-up.ps1'),
      ...(sysprep === undefined ? [] : [script(sysprep)]),
      {
        type: 'post-processor',
        labels: ['manifest'],
        attributes: {
          output: inTemplateFolder('manifest.json'),
          custom_data: { ...imageData, ...Object.fromEntries(digests) },
        },
      },
    ],
  }
}
