// Markdown: text and data as the pages of docs/ write them.
import path from 'node:path'
import prettier from 'prettier'
import yaml from 'yaml'
import { root } from '../tools/run.ts'

/** Text that means itself. */
export function prose(text: string): string {
  return text.replace(/[\\<>*|[\]]|(?<!\w)_|_(?!\w)/g, '\\$&')
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
  return yaml.stringify(value, { lineWidth: 0 })
}

/** What a heading of this text is linked by. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}

/** Blocks with an empty line between them, as the formatter leaves them. */
export async function page(name: string, blocks: readonly string[]): Promise<string> {
  const filepath = path.join(root, name)
  const config = await prettier.resolveConfig(filepath)
  return prettier.format(`${blocks.join('\n\n')}\n`, { ...config, filepath })
}
