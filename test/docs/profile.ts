// docs/profile.md: every field of a profile, from the table of fields.
import { fields, type Field } from '../../src/profile/catalogue.ts'
import { needWords } from '../../src/model/need.ts'
import { fieldNeed } from '../../src/profile/field-needs.ts'
import { anchor, asYaml, code, fence, page, prose } from './markdown.ts'

const intro = `# Fields of a profile

A profile is a YAML file. It says what differs from the defaults; everything else is decided by
\`winnode\`, and \`winnode profiles show FILE\` prints each value with the place that it comes from.
This page is made from the table that \`winnode\` itself checks profiles with.

The smallest profile, with the line that makes editors complete and check it:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/winnode/docs/profile.schema.json
apiVersion: winnode/v1
kind: NodeProfile
extends: ws2022-flannel-overlay
\`\`\`

A value counts more the later it comes: the default of the field, the profiles that are extended, the
profile itself, each \`--layer FILE\`, each \`--set path=value\`. Maps merge, everything else replaces,
and \`null\` takes away what an earlier one said. A key that is not on this page is an error, with a
guess at what was meant.

No field takes a secret. Where a program needs one, a field names the file on the node that holds it.
Paths on the node are absolute and lie on drive C:.`

export function profilePage(): string {
  return page([intro, contents(), ...fields.flatMap(section)])
}

function contents(): string {
  const top = fields.filter(({ path }) => path.length === 1)
  const lines = top.map(
    ({ path, what }) => `- [${code(path.join('.'))}](${anchor(path.join('.'))}): ${prose(what)}`,
  )
  return lines.join('\n')
}

function section(field: Field): readonly string[] {
  const name = field.path.join('.')
  const level = field.group || field.path.length === 1 ? '##' : '###'
  const told = [field.what, field.why].filter((text) => text !== undefined)
  return [
    `${level} ${name}`,
    prose(told.join(' ')),
    ...(field.group ? [] : [facts(field), ...example(field)]),
  ]
}

function facts(field: Field): string {
  const rows = [
    ['Kind', prose(field.kind)],
    ['Default', fallback(field)],
    ['A change needs', needOf(field)],
    ['Counts', field.when === undefined ? undefined : prose(field.when)],
  ]
  return rows
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `- ${name}: ${text}`)
    .join('\n')
}

function needOf({ path }: Field): string {
  return prose(needWords[fieldNeed(path) ?? 'nothing'])
}

function fallback({ fallback: constant, derived, required }: Field): string {
  if (constant !== undefined) return code(JSON.stringify(constant).replace(/^"(.*)"$/, '$1'))
  if (derived !== undefined) return prose(derived)
  return required ? 'none, it must be written' : 'none'
}

function example({ path, example: value }: Field): readonly string[] {
  if (value === undefined) return []
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return [fence('yaml', asYaml(nested))]
}
