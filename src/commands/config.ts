// The program as one oclif plugin that lives in memory, so that nothing is searched for on disk.
import { Config, Plugin } from '@oclif/core/config'
import type { Logger, PJSON } from '@oclif/core/interfaces'
import type { Cli, CommandClass } from './cli.ts'

export async function loadConfig(cli: Cli): Promise<Config> {
  const plugin = inMemory(cli)
  const plugins = new Map([[plugin.name, plugin]])
  const logger = process.env['DEBUG'] ? undefined : silent
  const config = new Unthemed({ root: cli.root, plugins, logger })
  await config.load()
  return config
}

/** oclif loads its own log at each start, and with it Node's network; it speaks only where DEBUG names it. */
const nothing = () => undefined
const silent: Logger = {
  child: () => silent,
  debug: nothing,
  error: nothing,
  info: nothing,
  namespace: 'oclif',
  trace: nothing,
  warn: nothing,
}

/** oclif would read a file of colours at each start, which no page speaks of. */
class Unthemed extends Config {
  override loadTheme(): Promise<undefined> {
    return Promise.resolve(undefined)
  }
}

export async function loadCommand(cli: Cli, id: string): Promise<CommandClass> {
  const load = cli.commands[id]
  if (!load) throw new Error(`no loader for the command ${id}`)
  const { default: Loaded } = await load()
  Loaded.id = id
  return Loaded
}

/** What `Plugin.load` would find out by reading files. */
function inMemory(cli: Cli): Plugin {
  const { root, name, version, description, manifest } = cli
  const pjson: PJSON = {
    name,
    version,
    description,
    oclif: { bin: name, dirname: name, topicSeparator: ' ' },
  }
  const plugin = new Plugin({ isRoot: true, root, pjson })
  const type = 'core'
  return Object.assign(plugin, {
    name,
    alias: name,
    version,
    root,
    pjson,
    type,
    isRoot: true,
    valid: true,
    moduleType: 'module' as const,
    hooks: {},
    hasManifest: true,
    manifest,
    commandIDs: Object.keys(manifest.commands),
    commands: Object.entries(manifest.commands).map(([id, command]) => ({
      ...command,
      load: () => loadCommand(cli, id),
      pluginAlias: name,
      pluginType: type,
    })),
  })
}
