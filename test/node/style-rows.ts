// What every script of the node keeps to: rows that read the text alone, each with a text that breaks it.
import { lineAt, type Role, type Script } from './script.ts'

export interface StyleRow {
  readonly id: string
  readonly why: string
  /** Roles it is about; all when absent. */
  readonly roles?: readonly Role[]
  /** Line numbers where it is broken. */
  readonly find: (script: Script) => readonly number[]
  /** Breaks this row. */
  readonly bad: string
}

type Where = 'text' | 'code'

/** Broken wherever the pattern is found. */
function never(where: Where, pattern: RegExp): StyleRow['find'] {
  const all = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)
  return (script) => [...script[where].matchAll(all)].map(({ index }) => lineAt(script.text, index))
}

/** Broken in the first line, unless the pattern is found. */
function always(pattern: RegExp): StyleRow['find'] {
  return ({ text }) => (pattern.test(text) ? [] : [1])
}

/** Broken at each function whose text lacks the pattern. */
function inFunctions(pattern: RegExp): StyleRow['find'] {
  return ({ functions }) =>
    functions.filter(({ text }) => !pattern.test(text)).map(({ line }) => line)
}

/** A word where a command may stand. */
function commands(names: readonly string[]): RegExp {
  return new RegExp(`(?:^|[|;{(=]|&)[ \\t]*(?:${names.join('|')})(?=[ \\t\\n)}]|$)(?!\\s*=)`, 'im')
}

const aliases = (
  '\\? % ac cat cd chdir clc clear cls copy cp cpi curl del diff dir echo epcsv erase fl ft gc gci ' +
  'gcim gcm gi gl gm gp gps group gsv gv gwmi h icm iex ii ipmo irm iwmi iwr kill ls man md ' +
  'measure mi mkdir more mount move mp mv nal ni nv ogv oh popd ps pushd pwd r rd ren ri rm rmdir ' +
  'rni rnp rp rv sajb sal saps sasv sc select set sl sleep sort sp spps spsv start sv tee type ' +
  'wget where write'
).split(' ')

/** What we use of `Get-Verb` in 5.1; the parser's run makes sure that each exists. */
export const verbs = (
  'Add Assert Backup Clear Close Complete Connect ConvertFrom ConvertTo Edit Enable Expand Export ' +
  'Find Get Hide Initialize Install Invoke Join Limit Lock Move Open Protect Publish Read Receive Register ' +
  'Remove Reset Resolve Restart Restore Resume Save Select Send Set Start Stop Suspend Switch Test Unregister Wait Watch Write'
).split(' ')

const isOurs = new RegExp(`^(?:(?:${verbs.join('|')})-Node[A-Za-z0-9]*|Invoke-Native)$`)

/** What throws, or does nothing, where there is no Windows. SDDL as text and the registry do the same. */
const foreign = [
  '(?:Directory|File|Registry|Object)Security',
  '(?:Raw|Common)SecurityDescriptor',
  'SecurityIdentifier|NTAccount|FileSystemAccessRule',
  'WindowsPrincipal|WindowsIdentity',
  '[GS]etEnvironmentVariable',
  'Microsoft\\.Win32\\.Registry',
  'System\\.ServiceProcess',
  'WMISearcher|ManagementObject',
].join('|')

const module: readonly Role[] = ['module', 'part']
const entry: readonly Role[] = ['entry']
const bundled: readonly Role[] = ['entry', 'module', 'part']
const pipeline: readonly Role[] = ['pipeline']

export const styleRows: readonly StyleRow[] = [
  {
    id: 'ascii-only',
    why: '5.1 reads a script without a byte order mark in the code page of the machine',
    find: never('text', /[^\n\x20-\x7e\r\t\ufeff]/),
    bad: '# caf\u00e9\n',
  },
  {
    id: 'no-byte-order-mark',
    why: 'the same bytes for every reader',
    find: never('text', /\ufeff/),
    bad: '\ufeff# a comment\n',
  },
  { id: 'line-feeds', why: 'one kind of line end', find: never('text', /\r/), bad: '$a = 1\r\n' },
  { id: 'no-tabs', why: 'four blanks', find: never('text', /\t/), bad: 'if ($a) {\n\t$b\n}\n' },
  {
    id: 'no-trailing-blanks',
    why: 'they are noise in a diff',
    find: never('text', /[ \t]+$/m),
    bad: '$a = 1 \n',
  },
  {
    id: 'one-final-line-end',
    why: 'a file ends with its last line',
    find: ({ text, lines }) => (/[^\n]\n$/.test(text) ? [] : [lines.length]),
    bad: '$a = 1\n\n',
  },
  {
    id: 'at-most-115-columns',
    why: 'it is read on consoles',
    find: ({ lines }) => lines.flatMap((line, index) => (line.length > 115 ? [index + 1] : [])),
    bad: `# ${'x'.repeat(114)}\n`,
  },
  {
    id: 'no-alias',
    why: 'an alias is another command on another edition: curl, sc, wget, ls',
    find: never('code', commands(aliases)),
    bad: 'Get-Service | where { $_.Name }\n',
  },
  {
    id: 'no-generated-code',
    why: 'data stays data',
    find: never(
      'code',
      /\bInvoke-Expression\b|\bAdd-Type\b(?! -AssemblyName )|\[scriptblock\]::|\.InvokeScript\(|\bNewScriptBlock\b/i,
    ),
    bad: 'Invoke-Expression -Command $text\n',
  },
  {
    id: 'no-global',
    why: 'a module leaves the session as it was',
    roles: ['entry', 'module'],
    find: never('code', /\$global:|-Scope\s+Global\b/i),
    bad: '$global:Done = $true\n',
  },
  {
    id: 'no-write-host',
    why: 'talk goes to the information stream, data to the output; 5.1 can redirect neither of these',
    find: never('code', /\b(?:Write-Host|Write-Output|Write-Progress|Out-Host)\b/i),
    bad: "Write-Host -Object 'done'\n",
  },
  {
    id: 'no-pipeline-chain',
    why: '5.1 has no && and no ||',
    find: never('code', /&&|\|\|/),
    bad: 'tar.exe -tf a && tar.exe -xf a\n',
  },
  {
    id: 'no-null-operators',
    why: '5.1 has no ??, ??=, ?. and ?[',
    find: never('code', /\?\?|\}\?[.[]/),
    bad: '$a = $b ?? 1\n',
  },
  {
    id: 'no-backtick-continuation',
    why: 'a blank behind it breaks the line; splat',
    find: never('code', /`\n/),
    bad: 'Get-Item `\n    -LiteralPath $a\n',
  },
  {
    id: 'no-line-end-semicolon',
    why: 'a line is a statement',
    find: never('code', /;[ \t]*$/m),
    bad: '$a = 1;\n',
  },
  {
    id: 'no-here-string',
    why: 'what ends it must stand in the first column',
    find: never('code', /@["']$/m),
    bad: "$a = @'\ntext\n'@\n",
  },
  {
    id: 'no-success-variable',
    why: '$? is about the last of many things',
    find: never('code', /\$\?/),
    bad: 'if (-not $?) { throw 1 }\n',
  },
  {
    id: 'no-empty-catch',
    why: 'an error is handled or reported',
    find: never('code', /\bcatch\b[^{}]*\{\s*\}/i),
    bad: 'try { $a } catch { }\n',
  },
  {
    id: 'null-on-the-left',
    why: 'a list on the left is filtered, not compared',
    find: never('code', /-(?:c|i)?(?:eq|ne)\s+\$null\b/i),
    bad: 'if ($a -eq $null) { $b }\n',
  },
  {
    id: 'no-or-with-a-constant',
    why: "`$x -eq 'a' -or 'b'` is always true",
    find: never('text', /-(?:or|and) +(?:'[^'\n]*'|"[^"\n]*"|\d+) *(?:[){]|-(?:or|and) |$)/im),
    bad: "if ($a -eq 'x' -or 'y') { $b }\n",
  },
  {
    id: 'no-automatic-variable-set',
    why: 'PowerShell sets these itself',
    find: never(
      'code',
      /\$(?:args|input|error|matches|host|home|pid|profile|event|sender|this|_)\s*[-+]?=(?!=)/i,
    ),
    bad: '$args = 1\n',
  },
  {
    id: 'error-action-of-functions',
    // https://github.com/PowerShell/PowerShell/issues/4568
    why: 'these are functions of other modules in 5.1, which do not see our $ErrorActionPreference',
    roles: bundled,
    find: never(
      'code',
      /\b[A-Z][a-z]+-(?:FileHash|Hns|Mp[A-Z]|Net[A-Z]|ScheduledTask)\w*(?![^|\n}]*-ErrorAction\b)/,
    ),
    bad: '$networks = @(Get-HnsNetwork)\n',
  },
  {
    id: 'depth-beside-convertto-json',
    why: 'it cuts at depth 2 and says nothing in 5.1',
    find: never('code', /\bConvertTo-Json\b(?![^|\n}]*-Depth\b)/i),
    bad: 'ConvertTo-Json -InputObject $a\n',
  },
  {
    id: 'no-file-cmdlet-encoding',
    why: '>, Out-File and Set-Content write what the edition likes: UTF-16, ANSI, or a byte order mark',
    find: never(
      'code',
      /\b(?:Out-File|Set-Content(?![^\n|]* -Encoding Ascii$)|Add-Content|Tee-Object|Export-Csv|Export-Clixml)\b|(?<![-=2*&<#])>(?![=&]|\$null)/im,
    ),
    bad: 'Get-Service > C:\\services.txt\n',
  },
  {
    id: 'one-clock',
    why: 'Read-NodeClock reads the time and waits; a test that moves it moves all of it',
    roles: bundled,
    find: (script) => {
      const clock = script.functions.find(({ text }) => text.startsWith('function Read-NodeClock'))
      const from = clock?.line ?? 0
      const to = from + (clock?.text.split('\n').length ?? 0)
      const all =
        /\b(?:Get-Date|Start-Sleep|Wait-Event|Get-Uptime)\b|::(?:Utc)?Now\b|::Today\b|\bStopwatch\b|\bTickCount|\bThread\]::Sleep|\bTimers?\.Timer\b/i
      return never('code', all)(script).filter((line) => line < from || line > to)
    },
    bad: '$now = [DateTime]::UtcNow\n',
  },
  {
    id: 'never-restarts-the-machine',
    why: 'the caller is asked with an exit code',
    roles: bundled,
    find: never(
      'code',
      /\b(?:Restart-Computer|Stop-Computer|shutdown(?:\.exe)?)\b|-WindowsFeature\b[^|\n]*-Restart\b/i,
    ),
    bad: 'Restart-Computer -Force\n',
  },
  {
    id: 'no-wmi-cmdlet',
    why: 'PowerShell 7 has no Get-WmiObject; CIM does the same',
    find: never('code', /\b(?:Get|Set|Invoke|Remove|Register)-Wmi\w+|\[wmi(?:class|searcher)?\]/i),
    bad: 'Get-WmiObject -Class Win32_Service\n',
  },
  {
    id: 'no-version-comparison',
    why: '[version] throws at 1.30.0-rc.1; versions are compared when a bundle is rendered',
    find: never('code', /\[(?:System\.)?(?:Version|Management\.Automation\.SemanticVersion)\]/i),
    bad: "if ([version]$a -lt [version]'1.30') { $b }\n",
  },
  {
    id: 'no-newer-variable',
    why: 'these are not set in 5.1, and strict mode throws where one is read',
    find: never(
      'code',
      /\$(?:Is(?:Windows|Linux|MacOS|CoreCLR)|PSStyle|PSNativeCommand\w+|EnabledExperimentalFeatures)\b/i,
    ),
    bad: 'if ($IsWindows) { $a }\n',
  },
  {
    id: 'no-newer-tls',
    why: '.NET Framework has no name for TLS 1.3 before 4.8',
    find: never('text', /\bTls13\b/i),
    bad: "$stream.AuthenticateAsClient($a, $b, 'Tls13', $false)\n",
  },
  {
    id: 'no-netbios-name',
    why: '$env:COMPUTERNAME is upper case and cut at 15',
    find: never('code', /\$env:COMPUTERNAME|::MachineName\b/i),
    bad: '$name = $env:COMPUTERNAME\n',
  },
  {
    id: 'no-foreign-type',
    why: 'these throw or do nothing where the tests run, so nothing would test them',
    find: never('code', new RegExp(foreign)),
    bad: "[Environment]::SetEnvironmentVariable('A', 'b', 'Machine')\n",
  },
  {
    id: 'runtime-data-is-not-deleted',
    why: 'its layers are mounted with links; they go through crictl and ctr',
    find: never('text', /Remove-Item[^|\n]*(?:ProgramData\\containerd|\$env:ProgramData)/i),
    bad: "Remove-Item -Recurse -LiteralPath 'C:\\ProgramData\\containerd'\n",
  },
  {
    id: 'no-recursive-removal',
    why: 'Remove-Item of 5.1 fails at a folder that holds a link; Clear-NodePath does not',
    find: never('code', /\bRemove-Item\b[^|\n;]*-Recurse\b/i),
    bad: 'Remove-Item -LiteralPath $a -Recurse -Force\n',
  },
  {
    id: 'literal-path',
    why: '-Path takes wildcards: a bracket in a name would match something else',
    find: never(
      'code',
      /\b(?:Get-Item|Get-ChildItem|Get-Content|Get-Acl|Set-Acl|Get-FileHash|Test-Path|Remove-Item|Copy-Item|Move-Item|Get-ItemProperty|Set-ItemProperty|New-ItemProperty|Remove-ItemProperty|Push-Location)\b(?![^|\n;]*-(?:LiteralPath|InputStream)\b)(?=\s+[^|\n;)]*(?:-Path\b|\$|['"]))/i,
    ),
    bad: 'Get-Item -Path $Step.path\n',
  },
  {
    id: 'suppression-has-a-reason',
    why: 'a rule that does not apply says why',
    find: never('text', /SuppressMessage(?:Attribute)?\((?![^)]*Justification\s*=\s*'[^']{10})/),
    bad: "[Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSAvoidX', '')]\nparam()\n",
  },
  {
    id: 'strict-mode',
    why: 'a missing property is an error, and so is a command that fails',
    roles: ['entry', 'module', 'pipeline'],
    find: always(/^Set-StrictMode -Version 3\.0\n\$ErrorActionPreference = 'Stop'\n/m),
    bad: '$a = 1\n',
  },
  {
    id: 'quiet-progress',
    why: 'in 5.1 a progress bar slows what it is about',
    roles: ['entry', 'module', 'pipeline'],
    find: always(/^\$ProgressPreference = 'SilentlyContinue'$/m),
    bad: '$a = 1\n',
  },
  {
    id: 'entry-begins-as-it-must',
    why: 'the version, the help, the parameters: in this order',
    roles: entry,
    find: always(/^#Requires -Version 5\.1\n<#\n[^]*?\.SYNOPSIS\n[^]*?\n#>\n\[CmdletBinding\(/),
    bad: '# a script\nparam()\n',
  },
  {
    id: 'entry-asks-for-no-administrator-by-requires',
    why: 'it would fail first, alone, and with code 1',
    find: never('text', /#Requires[^\n]*-RunAsAdministrator/i),
    bad: '#Requires -RunAsAdministrator\n',
  },
  {
    id: 'entry-ends-with-its-one-exit',
    why: 'one way out, and the code is the documented one',
    roles: entry,
    find: ({ code, lines }) => {
      const last = lines.length - 1
      const exits = [...code.matchAll(/\bexit\b/gi)].map(({ index }) => lineAt(code, index))
      const ends = lines[last - 1] === 'exit $exitCode'
      return ends ? exits.filter((line) => line !== last) : [...exits, last]
    },
    bad: 'if ($a) { exit 2 }\nexit $exitCode\n',
  },
  {
    id: 'pipeline-says-its-code',
    why: 'the program that runs it goes by the exit code, and by nothing else',
    roles: pipeline,
    find: ({ lines }) => (/^exit (?:\d|\$\w+)$/.test(lines.at(-2) ?? '') ? [] : [lines.length - 1]),
    bad: '# Does it.\nGet-Service\n',
  },
  {
    id: 'pipeline-says-what-it-is',
    why: 'its name on a machine shows which program left it',
    roles: pipeline,
    find: always(/^# [A-Z][^\n]*\.\n|^#Requires -Version 5\.1\n<#\n/),
    bad: '$a = 1\n',
  },
  {
    id: 'entry-code-starts-as-failure',
    why: 'an unforeseen path is not a success',
    roles: entry,
    find: always(/^\$exitCode = 1\ntry \{$/m),
    bad: '$exitCode = 0\ntry {\n}\n',
  },
  {
    id: 'entry-default-needs-no-script',
    why: 'to the parameters of an advanced script, 5.1 does not set the folder of the script',
    roles: entry,
    find: ({ text, code }) => {
      const [block = ''] = /^param\([^]*?^\)$/m.exec(code) ?? []
      const known = /\$(?:PSScriptRoot|PSCommandPath|MyInvocation)\b/i.exec(block)
      return known ? [lineAt(text, code.indexOf(block) + known.index)] : []
    },
    bad: '[CmdletBinding()]\nparam(\n    [string] $Path = $PSScriptRoot\n)\n',
  },
  {
    id: 'entry-has-switches',
    why: 'with powershell.exe -File, $true arrives as a text',
    roles: entry,
    find: never('code', /\[bool(?:ean)?\]\s*\$/i),
    bad: 'param([bool] $Force)\n',
  },
  {
    id: 'module-has-no-exit',
    why: 'it would end the host and skip every catch',
    roles: module,
    find: never('code', /\bexit\b|\[Environment\]::Exit/i),
    bad: 'function Get-NodeX {\n    exit 1\n}\n',
  },
  {
    id: 'function-has-cmdletbinding',
    why: 'unknown arguments are errors, and the common parameters work',
    roles: module,
    find: inFunctions(/^ {4}\[CmdletBinding\(/m),
    bad: 'function Get-NodeX {\n    param()\n}\n',
  },
  {
    id: 'function-says-what-it-gives',
    why: 'a reader need not run it to know; one without OutputType gives nothing',
    roles: module,
    find: ({ functions }) =>
      functions
        .filter(({ text }) => /\breturn [^\n}]/.test(text) && !/^ {4}\[OutputType\(/m.test(text))
        .map(({ line }) => line),
    bad: 'function Get-NodeX {\n    [CmdletBinding()]\n    param()\n\n    return 1\n}\n',
  },
  {
    id: 'function-says-what-it-does',
    why: 'one sentence first',
    roles: module,
    find: inFunctions(/^function \S+ \{\n(?: {4}# [^a-z]|\s+<#\n\s+\.SYNOPSIS\n)/),
    bad: 'function Get-NodeX {\n    [CmdletBinding()]\n    param()\n}\n',
  },
  {
    id: 'function-name',
    why: 'an approved verb, and Node before its noun',
    roles: module,
    find: ({ functions }) =>
      functions.filter(({ name }) => !isOurs.test(name)).map(({ line }) => line),
    bad: 'function Fetch-NodeFile {\n}\n',
  },
  {
    id: 'part-says-what-it-is',
    why: 'one sentence first, as in every file of the project',
    roles: ['part'],
    find: ({ lines: [first = ''] }) =>
      /^# (?!.*\. [A-Z])[^a-z\s].*\.$|^# [a-z]\w+: .*\.$/.test(first) ? [] : [1],
    bad: 'function Get-NodeX {\n}\n',
  },
  {
    id: 'no-path-constructor',
    why: 'these open a path that was not resolved for .NET',
    find: never('code', /\bIO\.(?:FileStream|FileInfo|DirectoryInfo|StreamWriter)\b(?!\])/),
    bad: 'New-Object -TypeName System.IO.FileStream -ArgumentList $a\n',
  },
  {
    id: 'functions-at-the-margin',
    why: 'every function can be tested, and these rows see it',
    find: never('code', /^[ \t]+(?:function|filter|workflow|class|enum)\s+\w/im),
    bad: 'if ($a) {\n    function Get-NodeX {\n    }\n}\n',
  },
]
