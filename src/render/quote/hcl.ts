// HCL as Packer and Terraform read it: text in double quotes and ASCII, of which no part is a template.
import { quoteWith } from './scalar.ts'

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '${': '$${',
  '%{': '%%{',
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const [mark, width] = code > 0xffff ? ['U', 8] : ['u', 4]
  return short[character] ?? `\\${mark}${code.toString(16).toUpperCase().padStart(width, '0')}`
}

/**
 * Packer reads what HCL gives once more, as a template of Go, and some settings twice: nothing that is written survives
 * both. https://developer.hashicorp.com/packer/docs/templates/legacy_json_templates/engine
 */
function quoteText(text: string): string {
  if (text.includes('{{')) throw new TypeError('holds {{, which Packer takes for a template')
  return `"${text.replace(/["\\]|[$%]\{|[^\x20-\x7e]/gu, escape)}"`
}

export const hcl = quoteWith({ text: quoteText })
