// What Cluster API runs before and after its kubeadm: lines of one batch file, and the files that go with them.

const powershell = 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File'

/** With slashes: a backslash would have to be escaped for each reader on the way, of which one drops it. */
export const slashed = (path: string) => path.replaceAll('\\', '/')

/** Where one of them ends the batch file, its code in the log of cloudbase-init says which. */
const commandCodes = { bring: 20, beforeJoin: 21, afterJoin: 22 } as const

/** cloudbase-init restarts the machine, and processes all of the user data again. */
export const restartCode = 1003

/**
 * cloudbase-init joins the commands to one batch file, which goes on after a line that failed: kubeadm would run on a
 * machine that is not ready for it. Its codes 1001 to 1003 mean restarts, so none of ours is one of them.
 * https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdataplugins/cloudconfigplugins/runcmd.py
 */
function line(folder: string, phase: 'beforeJoin' | 'afterJoin', flags: readonly string[]): string {
  const script = `${slashed(folder)}/Join-WinNode.ps1`
  const command = [powershell, script, '-Phase', phase, ...flags].join(' ')
  return `${command} || exit /b ${commandCodes[phase]}`
}

/**
 * A line for each way to end, since a batch file reads %errorlevel% before it runs the line. `if errorlevel` is true for
 * the code and all above it; powershell.exe ends below 0 where it crashes, or finds no script.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/if
 */
export function bringCommands(script: string): readonly string[] {
  return [
    `${powershell} ${slashed(script)}`,
    `if errorlevel ${restartCode} if not errorlevel ${restartCode + 1} exit /b ${restartCode}`,
    `if errorlevel 1 exit /b ${commandCodes.bring}`,
    `if not errorlevel 0 exit /b ${commandCodes.bring}`,
  ]
}

/** `digest` is the bundle's: an image that was built from another one does not join. */
export function joinCommands(folder: string, digest: string) {
  const bundle = ['-BundleDigest', digest]
  return {
    before: line(folder, 'beforeJoin', bundle),
    after: line(folder, 'afterJoin', [...bundle, '-TimeoutMinutes', '20']),
  }
}
