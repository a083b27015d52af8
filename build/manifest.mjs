// Makes oclif's manifest, so that help loads no command.
import { Plugin } from '@oclif/core'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** `loaders`: from `src/commands/index.ts`. */
export async function describeCommands(root, loaders) {
  const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))

  class FromLoaders extends Plugin {
    async getCommandIDs() {
      return Object.keys(loaders)
    }
    async findCommand(id) {
      const { default: Command } = await loaders[id]()
      return Object.assign(Command, { id, plugin: this })
    }
  }

  const plugin = new FromLoaders({
    isRoot: true,
    root,
    pjson: { name, version, oclif: {} },
    ignoreManifest: true,
    errorOnManifestCreate: true,
  })
  await plugin.load()
  return plugin.manifest
}
