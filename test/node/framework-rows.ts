// Rows about what the scripts name of .NET and of PowerShell: what each finds, and texts that break it.
import { framework } from './dotnet-framework.ts'
import {
  common,
  everything,
  outputs,
  parameters,
  powershell,
  values,
  windowsUpdate,
} from './windows-powershell.ts'

export interface Used {
  readonly name: string
  readonly types: readonly string[]
  readonly members: readonly UsedMember[]
  /** Keys of literal tables: what looks like a property is often one. */
  readonly keys: readonly string[]
  readonly parameters: readonly {
    readonly command: string
    readonly name: string
    /** Where it is a literal text. */
    readonly value: string | null
    readonly place: string
  }[]
}

export interface UsedMember {
  /** Empty if it is unknown from the script's text. */
  readonly type: string
  readonly name: string
  /** Of the arguments; -1 where it is no call. */
  readonly count: number
  readonly static: boolean
  /** Arguments that are literal texts. */
  readonly literals: readonly string[]
  readonly place: string
}

export interface FrameworkRow {
  readonly id: string
  readonly find: (used: Used, keys: ReadonlySet<string>) => readonly string[]
  readonly bad: readonly string[]
}

export const types: ReadonlyMap<string, readonly string[]> = new Map([
  ...framework,
  ...powershell,
  ...windowsUpdate,
])
const given = new Set([...everything, ...outputs.flatMap(({ names }) => names.split(' '))])

/** Whether a row of a table, such as `Split(char[])`, is the one that is used. */
export function isMember(listed: string, { name, count, literals }: UsedMember): boolean {
  const [, own, number, list] = /^(\w+)(?:\/(\d+)|\((.+)\))?$/.exec(listed) ?? []
  if (own !== name) return false
  if (list === undefined) return count === Number(number ?? -1)
  if (count !== list.split(',').length) return false
  return !list.startsWith('char') || literals.every((text) => text.length === 1)
}

function isListed(member: UsedMember, keys: ReadonlySet<string>): boolean {
  const key = member.count < 0 && !member.static
  if (
    key &&
    (everything.includes(member.name) || (keys.has(member.name) && isTable(member.type)))
  ) {
    return true
  }
  if (member.type !== '') return hasMember(member.type, member)
  return (
    (key && given.has(member.name)) || [...types.keys()].some((type) => hasMember(type, member))
  )
}

function hasMember(type: string, member: UsedMember): boolean {
  return types.get(type)?.some((listed) => isMember(listed, member)) ?? false
}

/** Where a property may be a key; so may one of an unknown type. */
function isTable(type: string): boolean {
  return type === '' || /\.(?:Hashtable|OrderedDictionary|IDictionary)$/.test(type)
}

const isOurs = /-Node|^Invoke-Native$|\./

export const frameworkRows: readonly FrameworkRow[] = [
  {
    id: 'types-are-in-4.7.2',
    find: (used) => used.types.filter((type) => !types.has(type)),
    bad: [
      ...['[System.HashCode]::new()', '[System.DateOnly] $day = $a', '$a -as [System.Half]'],
      ...['param([System.Range] $Range)', '[System.Management.Automation.SemanticVersion] $a = 1'],
      ...['try { $a } catch [System.Text.Json.JsonException] { $b }', '[System.Int128]::Parse($a)'],
      ...['param([ValidateNotNullOrWhiteSpace()] $Text)', "$a -as 'System.Half'"],
      ...["$type = 'System.Int128'\n$b = [type] $type", "'System.Half' -as [type]"],
    ],
  },
  {
    id: 'members-are-in-4.7.2',
    find: ({ members }, keys) =>
      members.filter((member) => !isListed(member, keys)).map(({ place }) => place),
    bad: [
      ...['[System.IO.File]::Move($a, $b, $true)', '[System.IO.Path]::Join($a, $b)'],
      ...['[System.Convert]::ToHexString($a)', '[System.Math]::Clamp($a, 1, 2)'],
      ...['[System.Array]::Fill($a, 0)', '$process.Kill($true)', '$key.ImportFromPem($pem)'],
      ...["$text.Split('ab')", "$text.Split('a', 2)", "$text.Contains('a', 'Ordinal')"],
      ...["'text'.ReplaceLineEndings()", "[string] $a = 1\n$a.Append('b')"],
      ...['$table.GetValueOrDefault($a)', '[System.IO.File]::ReadAllText($a, $b, $c)'],
      ...['New-Object -TypeName System.Net.Http.HttpClient', '$stream.ReadExactly($buffer)'],
      ...["$type = 'System.Text.Rune'\nNew-Object -TypeName $type -ArgumentList 65"],
      ...['New-Object -TypeName System.Uri -ArgumentList $a, $b, $c', '$error.ErrorData'],
      ...['(Get-Service -Name a).BinaryPathName', '$a = Get-Service -Name b\n$a.StartupType'],
      ...["$a = ', '\n'b'.Split($a)"],
      ...['$shown = [System.DateTime]\n$shown::UnixEpoch', 'param([System.Uri] $A)\n$A.IdnHost'],
      '[System.Security.Cryptography.X509Certificates.X509Certificate2]::CreateFromPem($pem)',
    ],
  },
  {
    id: 'parameters-are-in-5.1',
    find: (used) =>
      used.parameters
        .filter(({ command, name }) => {
          const listed = [...(parameters[command]?.split(' ') ?? []), ...common]
          return !isOurs.test(command) && !listed.includes(name)
        })
        .map(({ place }) => place),
    bad: [
      ...[
        'ConvertFrom-Json -InputObject $a -AsHashtable',
        'Get-Content -LiteralPath $a -AsByteStream',
      ],
      ...['Join-Path -Path a -ChildPath b -AdditionalChildPath c', 'Split-Path -Path $a -LeafBase'],
      ...['Invoke-WebRequest -Uri $a -SkipCertificateCheck', 'ForEach-Object -Parallel { $_ }'],
      ...[
        '$call = @{ Path = $a }\n$call.Target = $b\nNew-Item @call -Path c',
        'Test-Path -Path $a',
      ],
      ...['$call = @{ Name = $a; SecurityDescriptorSddl = $b }\nSet-Service @call'],
      ...["$call = @{ Name = $a }\n$call['Delay'] = $b\nRestart-Service @call"],
    ],
  },
  {
    id: 'values-are-in-5.1',
    find: (used) =>
      used.parameters
        .filter(({ name, value }) => value && !(values[name]?.includes(value) ?? true))
        .map(({ place }) => place),
    bad: [
      'Get-Content -LiteralPath $a -Encoding utf8NoBOM',
      'Get-Item -LiteralPath $a -ErrorAction Break',
      'Set-Service -Name a -StartupType AutomaticDelayedStart',
      "$how = 'AutomaticDelayedStart'\nNew-Service -Name a -BinaryPathName b -StartupType $how",
      'Get-FileHash -LiteralPath $a -Algorithm SHA3_256',
      "$call = @{ Encoding = 'utf8NoBOM' }\nGet-Content @call -LiteralPath $a",
      "$call = @{ LiteralPath = $a }\n$call.Encoding = 'ansi'\nGet-Content @call",
    ],
  },
]
