// What builders that install Windows from media share: the answer file, and the scripts beside it.
import { expression, type Expression, type HclValue } from '../../render/hcl-text.ts'
import type { Input } from '../target.ts'
import { beside } from './builder.ts'
import { preset, secret, variable, type Variable } from './variables.ts'

export const answerTemplate = 'Autounattend.xml.pkrtpl'

/** They stay attached until the shutdown. */
export const mediaScripts = ['first-logon.ps1', 'winrm.ps1', 'close-winrm.ps1'] as const

export const mediaVariables = ({ facts: { windows } }: Input): readonly Variable[] => [
  preset(
    'windows_image',
    'The name of the image on the media, as dism /get-wiminfo lists it.',
    `${windows.name} SERVERSTANDARDCORE`,
  ),
  preset(
    'product_key',
    'The product key, where the media asks for one; evaluation media do not.',
    '',
  ),
  secret('winrm_password', 'The password of Administrator while the image is built.'),
]

/** The variable, escaped for XML: a password may hold characters that are special there. */
const inXml = (name: string): Expression =>
  expression(`replace(replace(replace(var.${name}, "&", "&amp;"), "<", "&lt;"), ">", "&gt;")`)

export const mediaLocals = {
  answers: {
    windows_image: inXml('windows_image'),
    product_key: inXml('product_key'),
    password: inXml('winrm_password'),
  },
}

/** Windows Setup reads the answer file from the root of each removable drive. */
export function onDrive(drive: 'floppy' | 'cd'): Readonly<Record<string, HclValue>> {
  const files = mediaScripts.map((name) => beside(`scripts/${name}`)).join(', ')
  return {
    [`${drive}_files`]: expression(`[${files}]`),
    [`${drive}_content`]: {
      'Autounattend.xml': expression(`templatefile(${beside(answerTemplate)}, local.answers)`),
    },
  }
}

/** Signs in, and shuts down when sysprep has ended. */
export const mediaAccess = {
  winrm_username: 'Administrator',
  winrm_password: variable('winrm_password'),
  // The letter of the drive depends on the machine, as in the answer file.
  shutdown_command:
    'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command "(Get-PSDrive -PSProvider FileSystem).Root | Join-Path -ChildPath close-winrm.ps1 | Where-Object { Test-Path $_ } | ForEach-Object { . $_ }"',
  shutdown_timeout: '1h',
} as const
