// The completion script for Windows PowerShell 5.1 and PowerShell 7.
import type { Script } from './script.ts'

/** Windows PowerShell drops double quotes from arguments of native programs, so they become single quotes. */
export const powershell: Script = {
  install: 'In $PROFILE: winnode completion powershell | Out-String | Invoke-Expression',
  text: String.raw`Register-ArgumentCompleter -Native -CommandName winnode -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)
    $Text = $CommandAst.ToString()
    $Length = $CursorPosition - $CommandAst.Extent.StartOffset
    $Line = if ($Length -le $Text.Length) { $Text.Substring(0, $Length) } else { "$Text " }
    winnode completion powershell --line $Line.Replace('"', "'") 2>$null | ForEach-Object -Process {
        $Value, $Note = $_ -split [char]9, 2
        if ($Value -eq ':files' -or $Value -eq ':folders') {
            [Management.Automation.CompletionCompleters]::CompleteFilename($WordToComplete) |
                Where-Object -FilterScript { $Value -eq ':files' -or $_.ResultType -eq 'ProviderContainer' }
        } else {
            if (-not $Note) { $Note = $Value }
            [Management.Automation.CompletionResult]::new($Value, $Value, 'ParameterValue', $Note)
        }
    }
}
`,
}
