// winnode profiles show: prints every value of a profile with its origin.
import { hasErrors } from '../../model/finding.ts'
import { leavesIn, parseObject } from '../../model/json.ts'
import { formatPath, type Path } from '../../model/path.ts'
import { redactSecrets } from '../../text/secrets.ts'
import { table } from '../../present/table.ts'
import { BaseCommand } from '../base.ts'
import { checkProfile, requiredFields } from '../check-profile.ts'
import { exampleProfile, examples } from '../examples.ts'
import { originOf } from '../value-origin.ts'
import { profileArgument, profileFlags } from '../profile-flags.ts'

export default class Show extends BaseCommand {
  static override summary = 'Show every value of a profile and its origin.'
  static override examples = examples({
    'Show a built-in profile': `profiles show ${exampleProfile}`,
    'See what a layer changes': 'profiles show ./node.yaml --layer ./site.yaml',
  })
  static override args = { profile: profileArgument }
  static override flags = profileFlags

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Show)
    const checked = checkProfile(args.profile, flags, this.checkContext(flags['as-of']))
    const needs = requiredFields(checked.findings)
    if (needs.length > 0)
      this.printStatus(
        `needs: ${needs.join(' and ')} of your cluster; until then render refuses it`,
      )
    else if (hasErrors(checked.findings)) this.reject(checked)
    const values = leavesIn(parseObject(JSON.stringify(checked.facts.spec)) ?? {})
      .filter(({ path }) => !isTag(path))
      .map(({ path, value }) => ({
        path: formatPath(path),
        value: concealed(value),
        origin: originOf(checked, path),
      }))
    const rows = values.map(({ path, value, origin }) => [
      path,
      redactSecrets(JSON.stringify(value)),
      origin,
    ])
    this.print(table(['FIELD', 'VALUE', 'FROM'], rows, this.screen('stdout')))
    return { values, needs }
  }
}

/** `kind` of credentials only discriminates their types; it is not a field of a profile. */
function isTag(path: Path): boolean {
  return path.at(-2) === 'credentials' && path.at(-1) === 'kind'
}

/** A profile that holds a secret is rejected, but still shown. */
function concealed(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  return Array.isArray(value) ? value.map(concealed) : value
}
