// The build block of a Packer template: its provisioners in order.
import { bundleFolder } from '../../model/layout.ts'
import { expression, type Block } from '../../render/hcl-text.ts'

const folder = bundleFolder.replaceAll('\\', '/')

/** The result of verify.ps1, which Packer downloads. */
const result = 'C:/Windows/Temp/winnode-image.json'

/** A path beside the template, independent of the current folder. */
const inTemplateFolder = (name: string) => expression(`"\${path.root}/${name}"`)

/**
 * Runs a script file elevated, as Windows refuses servicing over plain WinRM. A file, as inline PowerShell would be
 * interpreted by HCL and Go templates first.
 */
function script(name: string, codes: readonly number[] = [0]): Block {
  return {
    type: 'provisioner',
    labels: ['powershell'],
    attributes: {
      script: inTemplateFolder(`scripts/${name}`),
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

const restart: Block = {
  type: 'provisioner',
  labels: ['windows-restart'],
  attributes: { restart_timeout: '30m' },
}

/** Install ends with 3010 where it needs a restart; its second run must end with 0. */
const provisioners: readonly Block[] = [
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

/** `sysprep` is the script that generalizes the image; `undefined` where the user supplies the source. */
export function buildBlock(
  source: string,
  sysprep: string | undefined,
  imageData: Readonly<Record<string, string>>,
): Block {
  return {
    type: 'build',
    attributes: { sources: [`source.${source}`] },
    blocks: [
      ...provisioners,
      ...(sysprep === undefined ? [] : [script(sysprep)]),
      {
        type: 'post-processor',
        labels: ['manifest'],
        attributes: { output: inTemplateFolder('manifest.json'), custom_data: imageData },
      },
    ],
  }
}

export const buildScripts = ['prepare.ps1', 'install.ps1', 'verify.ps1', 'clean-up.ps1'] as const
