// winnode profiles: lists the profiles that come with winnode.
import { listProfiles } from '../io/profiles/builtins.ts'
import { table } from '../present/table.ts'
import { BaseCommand } from './base.ts'

export default class Profiles extends BaseCommand {
  static override summary = 'List the built-in profiles.'
  static override examples = [
    { description: 'List them', command: '<%= config.bin %> profiles' },
    {
      description: 'Show one, with the origin of each value',
      command: '<%= config.bin %> profiles show ws2022-flannel-overlay',
    },
  ]

  async run(): Promise<object> {
    await this.parse(Profiles)
    const profiles = listProfiles(this.config.root)
    const rows = profiles.map((profile) => [profile.name, profile.extends ?? '', profile.summary])
    this.data(table(['PROFILE', 'EXTENDS', { prose: 'FOR' }], rows, this.paint('stdout')))
    return { profiles }
  }
}
