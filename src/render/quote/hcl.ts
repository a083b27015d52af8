// HCL: text in double quotes, in ASCII, without template sequences.
import { escaped } from './escape.ts'
import { quoteWith } from './scalar.ts'

/** Doubling the first character escapes a template sequence. */
const openings: Readonly<Record<string, string>> = { '${': '$${', '%{': '%%{' }

const escape = (found: string) => openings[found] ?? escaped(found)

/**
 * Packer evaluates strings as Go templates too, some of them twice, so no escape of {{ is safe:
 * https://developer.hashicorp.com/packer/docs/templates/legacy_json_templates/engine
 */
function quoteText(text: string): string {
  if (text.includes('{{')) throw new TypeError('holds {{, which Packer takes for a template')
  return `"${text.replace(/["\\]|[$%]\{|[^\x20-\x7e]/gu, escape)}"`
}

export const hcl = quoteWith({ text: quoteText })
