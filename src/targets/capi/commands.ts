// The commands that Cluster API runs before and after kubeadm: lines of one batch file.
import { layout } from '../../model/layout.ts'

const powershell = 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File'

/** Forward slashes, as a backslash would need escapes for several parsers, of which one drops it. */
export const forwardSlashes = (path: string) => path.replaceAll('\\', '/')

/** Exit codes of the batch file, so that cloudbase-init's log shows which command failed. */
const commandCodes = { install: 20, beforeJoin: 21, afterJoin: 22 } as const

/** Makes cloudbase-init restart the machine and process all user data again. */
export const restartCode = 1003

/**
 * cloudbase-init joins the commands to one batch file, which continues after a failed line: without the exit, kubeadm
 * would run on an unprepared machine. Exit codes 1001 to 1003 mean restarts, so they are not used here.
 * https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/plugins/common/userdataplugins/cloudconfigplugins/runcmd.py
 */
function joinLine(
  folder: string,
  phase: 'beforeJoin' | 'afterJoin',
  flags: readonly string[],
): string {
  const script = `${forwardSlashes(folder)}/Join-WinNode.ps1`
  const command = [powershell, script, '-Phase', phase, ...flags].join(' ')
  return `${command} || exit /b ${commandCodes[phase]}`
}

/**
 * `if errorlevel N` is true for N and above, and %errorlevel% would be expanded before the line runs, so each outcome
 * has a line. powershell.exe ends below 0 where it crashes or finds no script.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/if
 */
export function installCommands(script: string): readonly string[] {
  return [
    `${powershell} ${forwardSlashes(script)}`,
    `if errorlevel ${restartCode} if not errorlevel ${restartCode + 1} exit /b ${restartCode}`,
    `if errorlevel 1 exit /b ${commandCodes.install}`,
    `if not errorlevel 0 exit /b ${commandCodes.install}`,
    // Install adds the folder to the machine's PATH, which cloudbase-init has read before: without a restart, kubeadm
    // would not be found.
    `set PATH=${layout.programs};%PATH%`,
  ]
}

/** `digest` is the bundle's, if any: a machine whose image has another bundle does not join. */
export function joinCommands(folder: string, digest: string | undefined) {
  const bundle = digest === undefined ? [] : ['-BundleDigest', digest]
  return {
    before: joinLine(folder, 'beforeJoin', bundle),
    after: joinLine(folder, 'afterJoin', [...bundle, '-TimeoutMinutes', '20']),
  }
}
