// The scripts that a build runs, and the files beside its template.
import type { RenderedFile, View } from '../../model/plan.ts'
import { encodeText } from '../../render/encode.ts'
import type { Input } from '../target.ts'
import { inPowerShellTags } from '../userdata/channel-files.ts'
import type { Builder } from './builder.ts'
import { cloudbaseInitView, type Platform } from './cloudbase-init.ts'
import { hasUpdates, updatesView } from './windows-updates.ts'

const everyBuild = ['prepare.ps1', 'install.ps1', 'verify.ps1', 'clean-up.ps1'] as const

interface Image {
  /** `undefined` for the user's own source block. */
  readonly row: Builder | undefined
  readonly sysprep: string | undefined
  readonly platform: Platform | undefined
}

export function scriptFiles(
  { facts, render }: Input,
  { row, sysprep, platform }: Image,
): Promise<readonly RenderedFile[]> {
  const { cloudbaseInit, windowsUpdates } = facts.spec.targets.packer
  const copy = (path: string, from: string) =>
    render({ path, body: { kind: 'static', source: `packer/${from}` } })
  const written = (script: string, view: View) => {
    const body = { kind: 'template', template: `targets/${script}.hbs`, view } as const
    return render({ path: `scripts/${script}`, body })
  }
  const copied = [...everyBuild, ...(sysprep === undefined ? [] : [sysprep]), ...(row?.files ?? [])]
  return Promise.all([
    ...copied.map((name) => copy(`scripts/${name}`, name)),
    ...(hasUpdates(windowsUpdates)
      ? [written('windows-updates.ps1', updatesView(windowsUpdates))]
      : []),
    ...(cloudbaseInit && platform
      ? [written('cloudbase-init.ps1', cloudbaseInitView(platform, cloudbaseInit))]
      : []),
    ...(row?.beside ?? []).map((name) => copy(name, name)),
    ...(row?.userData === undefined ? [] : [copy('', row.userData).then(userDataOf(row.userData))]),
  ])
}

const userDataOf =
  (name: string) =>
  ({ content }: RenderedFile): RenderedFile => {
    const text = inPowerShellTags(new TextDecoder().decode(content))
    return { path: `scripts/${name.replace(/\.ps1$/, '.txt')}`, content: encodeText(text) }
  }
