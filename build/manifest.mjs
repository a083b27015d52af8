// Makes oclif's manifest, so that help loads no command.
import { Plugin } from '@oclif/core'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** `loaders`: from `src/commands/index.ts`. */
export async function describeCommands(root, loaders) {
  // Before oclif, which adds a page of detail for each command to an error of a file that all of them import.
  const found = {}
  for (const [id, load] of Object.entries(loaders)) found[id] = (await load()).default
  const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))

  class FromLoaders extends Plugin {
    async getCommandIDs() {
      return Object.keys(loaders)
    }
    async findCommand(id) {
      return Object.assign(found[id], { id, plugin: this })
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
