// winnode profiles: lists the built-in profiles.
import { listProfiles } from '../io/profiles/builtins.ts'
import { table } from '../present/table.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, requiredFields } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'

export default class Profiles extends BaseCommand {
  static override summary = 'List the built-in profiles.'
  static override examples = examples({
    'List the built-in profiles': 'profiles',
    'Show one, with the origin of each value': `profiles show ${exampleProfile}`,
  })

  async run(): Promise<object> {
    await this.parse(Profiles)
    const { root } = this.config
    const profiles = listProfiles(root).map((profile) => {
      const { findings } = checkProfile(profile.name, {}, this.checkContext())
      return { ...profile, needs: requiredFields(findings) }
    })
    const rows = profiles.map(({ name, summary, needs, extends: from = '' }) => [
      name,
      from,
      needs.length > 0 ? `${summary} Needs ${needs.join(' and ')} of your cluster.` : summary,
    ])
    this.print(table(['PROFILE', 'EXTENDS', 'FOR'], rows, this.screen('stdout')))
    return { profiles }
  }
}
