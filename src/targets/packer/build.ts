// The build of a Packer template: what happens on the machine, in which order, and what is brought back.
import { bundleFolder } from '../../model/layout.ts'
import { expression, type Block } from '../../render/hcl-text.ts'

const folder = bundleFolder.replaceAll('\\', '/')

/** Where the scripts leave what Packer brings back. */
const result = 'C:/Windows/Temp/winnode-image.json'

/** Beside the template, wherever Packer was started. */
const beside = (name: string) => expression(`"\${path.root}/${name}"`)

/**
 * As an administrator with all rights: over WinRM alone Windows refuses what servicing needs. PowerShell goes as files: what
 * stands in a template is read by HCL and by Go first.
 */
function script(name: string, codes: readonly number[] = [0]): Block {
  return {
    type: 'provisioner',
    labels: ['powershell'],
    attributes: {
      script: beside(`scripts/${name}`),
      elevated_user: expression('build.User'),
      elevated_password: expression('build.Password'),
      valid_exit_codes: codes,
    },
  }
}

const upload: Block = {
  type: 'provisioner',
  labels: ['file'],
  attributes: { source: beside('bundle/'), destination: `${folder}/` },
}

const download = (source: string, name: string): Block => ({
  type: 'provisioner',
  labels: ['file'],
  attributes: { direction: 'download', source, destination: beside(name) },
})

const restart: Block = {
  type: 'provisioner',
  labels: ['windows-restart'],
  attributes: { restart_timeout: '30m' },
}

/** Install asks for a restart with 3010, and its second run has to end with 0. */
const course: readonly Block[] = [
  script('prepare.ps1'),
  upload,
  script('install.ps1', [0, 3010]),
  restart,
  script('install.ps1'),
  script('verify.ps1'),
  download(result, 'result.json'),
  download(`${folder}/bom.json`, 'bom.json'),
  script('clean-up.ps1'),
]

/** `sysprep` is a script of ours, or left to whoever brings the source. */
export function buildBlock(
  source: string,
  sysprep: string | undefined,
  told: Readonly<Record<string, string>>,
): Block {
  return {
    type: 'build',
    attributes: { sources: [`source.${source}`] },
    blocks: [
      ...course,
      ...(sysprep === undefined ? [] : [script(sysprep)]),
      {
        type: 'post-processor',
        labels: ['manifest'],
        attributes: { output: beside('manifest.json'), custom_data: told },
      },
    ],
  }
}

export const buildScripts = ['prepare.ps1', 'install.ps1', 'verify.ps1', 'clean-up.ps1'] as const
