// What Cluster API runs before and after its kubeadm: lines of one batch file, and the files that go with them.
import { bundleFolder } from '../../model/layout.ts'

/** With slashes: a backslash would have to be escaped for each reader on the way, of which one drops it. */
const folder = bundleFolder.replaceAll('\\', '/')

const powershell = 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File'

/**
 * cloudbase-init joins the commands to one batch file, which goes on after a line that failed: kubeadm would run on a
 * machine that is not ready for it. Its codes 1001 to 1003 mean restarts, so none of ours is one of them.
 * https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdataplugins/cloudconfigplugins/runcmd.py
 */
function line(phase: string, flags: readonly string[], code: number): string {
  const script = `${folder}/Join-WinNode.ps1`
  return `${[powershell, script, '-Phase', phase, ...flags].join(' ')} || exit /b ${code}`
}

/** Where one of them ends the batch file, its code in the log of cloudbase-init says which. */
export const commandCodes = { beforeJoin: 21, afterJoin: 22 } as const

/** `digest` is the bundle's: an image that was built from another one does not join. */
export function joinCommands(digest: string) {
  const bundle = ['-BundleDigest', digest]
  return {
    preKubeadmCommands: [line('beforeJoin', bundle, commandCodes.beforeJoin)],
    postKubeadmCommands: [
      line('afterJoin', [...bundle, '-TimeoutMinutes', '20'], commandCodes.afterJoin),
    ],
  }
}
