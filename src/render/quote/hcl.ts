// HCL as Packer and Terraform read it: text in double quotes and ASCII, of which no part is a template.
import { escaped } from './escape.ts'
import { quoteWith } from './scalar.ts'

/** Where an expression of a template would begin, its first letter twice. */
const openings: Readonly<Record<string, string>> = { '${': '$${', '%{': '%%{' }

const escape = (found: string) => openings[found] ?? escaped(found)

/**
 * Packer reads what HCL gives once more, as a template of Go, and some settings twice: nothing that is written survives
 * both. https://developer.hashicorp.com/packer/docs/templates/legacy_json_templates/engine
 */
function quoteText(text: string): string {
  if (text.includes('{{')) throw new TypeError('holds {{, which Packer takes for a template')
  return `"${text.replace(/["\\]|[$%]\{|[^\x20-\x7e]/gu, escape)}"`
}

export const hcl = quoteWith({ text: quoteText })
