// docs/profile.md: every field of a profile, from the table of fields.
import { fields, type Field } from '../../src/profile/catalogue.ts'
import { needWords } from '../../src/model/need.ts'
import { fieldNeed } from '../../src/profile/field-needs.ts'
import { anchor, asYaml, code, fence, page, prose } from './markdown.ts'

const intro = `# Fields of a profile

A profile is a YAML file. It contains what differs from the defaults; winnode decides the rest, and
\`winnode profiles show FILE\` prints each value with its origin. This page is generated from the table
that \`winnode validate\` uses.

The smallest profile, with the line that enables completion and checks in editors:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/winnode/docs/profile.schema.json
apiVersion: winnode/v1
kind: NodeProfile
extends: ws2022-flannel-overlay
\`\`\`

Later layers override earlier ones: the default of the field, the extended profiles, the profile itself,
each \`--layer FILE\`, each \`--set path=value\`. Maps merge, other values replace, and \`null\` removes the
value of an earlier layer. An unknown key or a value of the wrong type is an error, even where a later layer
overrides it.

No field contains a secret. If a program needs one, a field names the file on the node that contains it.
Paths on the node are absolute, on drive C:.`

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
    linked(prose(told.join(' '))),
    ...(field.group ? [] : [facts(field), ...example(field)]),
  ]
}

/** Pages that a text names, as links. */
function linked(text: string): string {
  return text.replace(/docs\/([\w-]+\.md(?:#[\w-]+)?)/g, '[docs/$1]($1)')
}

function facts(field: Field): string {
  const rows = [
    ['Kind', prose(field.kind)],
    ['Default', fallback(field)],
    ['A change needs', needOf(field)],
    ['Applies', field.when === undefined ? undefined : prose(field.when)],
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
  if (typeof constant === 'string') return code(constant)
  if (constant !== undefined) return code(JSON.stringify(constant))
  if (derived !== undefined) return prose(derived)
  return required ? 'none, required' : 'none'
}

function example({ path, example: value }: Field): readonly string[] {
  if (value === undefined) return []
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return [fence('yaml', asYaml(nested))]
}
