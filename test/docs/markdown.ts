// Markdown: text and data as the pages of docs/ write them.
import yaml from 'yaml'
import { widthOf } from '../../src/present/width.ts'

/** Text that means itself; between backticks a backslash would be shown. */
export function prose(text: string): string {
  return text.replace(
    /(`[^`]*`)|[\\<>*|[\]]|(?<!\w)_|_(?!\w)/g,
    (found, span?: string) => span ?? `\\${found}`,
  )
}

/** One line of code, whatever it holds. */
export function code(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  const pad = /^`|`$/.test(text) ? ' ' : ''
  return `${ticks}${pad}${text}${pad}${ticks}`
}

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

export function asYaml(value: unknown): string {
  return yaml.stringify(value, { lineWidth: 0, singleQuote: true })
}

/** What a heading of this text is linked by. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}

/** Columns as wide as their widest cell, which is how the formatter wants them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => widthOf(row[column] ?? ''))),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** Blocks with an empty line between them. */
export function page(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`
}
