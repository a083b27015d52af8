// One plugin in memory, with the manifest that the build generated.
import { Config, Plugin } from '@oclif/core/config'
import type { Manifest, PJSON } from '@oclif/core/interfaces'
import type { BaseCommand } from './base.ts'

type CommandClass = { id: string } & (new (argv: string[], config: Config) => BaseCommand)
export type Loaders = Readonly<Record<string, () => Promise<{ readonly default: CommandClass }>>>

export interface Cli {
  /** The folder of package.json, with `profiles/` and `dist/` beside it. */
  readonly root: string
  readonly name: string
  readonly version: string
  readonly description: string
  readonly commands: Loaders
  readonly manifest: Manifest
}

export async function loadConfig(cli: Cli): Promise<Config> {
  // Without SHELL, oclif starts PowerShell at each run on Windows to find the shell's name, which is not used here.
  if (process.platform === 'win32') process.env['SHELL'] ??= 'unknown'
  const plugin = pluginOf(cli)
  const config = new Config({ root: cli.root, plugins: new Map([[plugin.name, plugin]]) })
  await config.load()
  return config
}

export async function loadCommand(cli: Cli, id: string): Promise<CommandClass> {
  const load = cli.commands[id]
  if (!load) throw new Error(`no loader for the command ${id}`)
  const { default: Loaded } = await load()
  Loaded.id = id
  return Loaded
}

/** What `Plugin.load` reads from package.json and the file system, which an executable does not have. */
function pluginOf(cli: Cli): Plugin {
  const { root, name, version, description, manifest } = cli
  const oclif = { bin: name, dirname: name, topicSeparator: ' ' } as const
  const pjson: PJSON = { name, version, description, oclif }
  const type = 'core'
  const commands = Object.entries(manifest.commands).map(([id, command]) => ({
    ...command,
    load: () => loadCommand(cli, id),
    pluginAlias: name,
    pluginType: type,
  }))
  return Object.assign(new Plugin({ isRoot: true, root, pjson }), {
    name,
    alias: name,
    version,
    root,
    pjson,
    type,
    commands,
    manifest,
    isRoot: true,
    valid: true,
    hasManifest: true,
    moduleType: 'module' as const,
    hooks: {},
    commandIDs: Object.keys(manifest.commands),
  })
}
