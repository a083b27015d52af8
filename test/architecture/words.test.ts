// Texts use plain English: banned-words.json lists the words to avoid, and what to say instead.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { root } from '../tools/run.ts'
import { filesBelow } from './project-files.ts'
import { textsOf } from './texts.ts'

interface Banned {
  /** Words: `not` is a regular expression of whole words, `say` what readers understand at once. */
  readonly words: readonly { readonly not: string; readonly say: string }[]
  /** Whole sentences in which a word may stand, with the reason; at most thirty. */
  readonly exceptions: readonly { readonly sentence: string; readonly reason: string }[]
}

const listed = JSON.parse(
  readFileSync(path.join(root, 'test/architecture/banned-words.json'), 'utf8'),
) as Banned

const words = listed.words.map(({ not, say }) => ({
  pattern: new RegExp(
    `(?<![\\w-])(?:${not.replaceAll(' ', String.raw`[\s#*/]+`)})(?![\\w-])`,
    'giu',
  ),
  say,
}))
const exceptions = listed.exceptions.map(({ sentence }) => oneLine(sentence))

/** Recordings of other programs, rendered templates, licenses, data, and the words themselves. */
const unread =
  /^(LICENSE|package-lock\.json|test\/golden\/(?!.*\/profile\.yaml$)|test\/upstream\/|test\/architecture\/(words\.test\.ts|banned-words\.json)$|src\/matrix\/minors\/|test\/.*\.json$)/

function oneLine(text: string): string {
  return text.replace(/[\s#*/]+/g, ' ').trim()
}

/** `file:line: "word" (say: ...)`, and the exceptions that were used. */
function bannedIn(name: string, source: string) {
  const used: string[] = []
  const found = (textsOf(name, source) ?? []).flatMap(({ line, text }) => {
    const allowed = exceptions.filter((sentence) => oneLine(text).includes(sentence))
    used.push(...allowed)
    return words.flatMap(({ pattern, say }) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        if (allowed.some((sentence) => sentence.includes(oneLine(match[0])))) return []
        const at = line + text.slice(0, match.index).split('\n').length - 1
        return [`${name}:${at}: "${oneLine(match[0])}"; say: ${say}`]
      }),
    )
  })
  return { found, used }
}

t.test('no text has a banned word', async (t) => {
  const read = filesBelow(root)
    .filter((name) => !unread.test(name))
    .map((name) => ({ name, ...bannedIn(name, readFileSync(path.join(root, name), 'utf8')) }))
  t.strictSame(
    read.flatMap(({ found }) => found),
    [],
  )
  const needed = read.flatMap(({ used }) => used)
  t.strictSame(
    exceptions.filter((sentence) => !needed.includes(sentence)),
    [],
    'every exception is needed',
  )
  t.ok(exceptions.length <= 30, 'at most thirty exceptions')
  for (const { sentence, reason } of listed.exceptions)
    t.match(`${sentence}\n${reason}`, /^\S+ .*\S\n\S+ .*\.$/, `${sentence}: has a reason`)
})

t.test('texts are found in each language, with their line', async (t) => {
  const planted: readonly (readonly [name: string, source: string, lines: readonly number[]])[] = [
    [
      'a.ts',
      "const shall = 1\n// one\n// he shall\nsay('he shall', `we ${shall} shall`)",
      [3, 4, 4],
    ],
    ['a.ts', "const a = { 'he shall': 1, shall: 2 }\nimport './shall'\nfind('shall')", []],
    ['a.ts', '/**\n * what stands\n * there now, `shall`\n */', [2]],
    ['a.json', '{\n  "shall x": "it shall"\n}', [2]],
    ['a.ps1', '$shall = Get-Shall -Shall \'shall\'\n# is\n# there\n"it $shall shall"', [2, 4]],
    ['a.cs', 'int shall; // shall\nSay("we shall");', [1, 2]],
    ['a.md', 'a\n\n```sh\nshall\n```\n\nit `shall` be\nthat you shall', [8]],
    ['a.md.hbs', '{{shall}} it shall {{#if shall}}so{{/if}}', [1]],
    ['a.yaml', 'shall: 1\n# shall\nwhat: you shall', [2, 3]],
  ]
  for (const [name, source, lines] of planted)
    t.strictSame(
      bannedIn(name, source).found.map((one) => Number(/:(\d+):/.exec(one)?.[1])),
      lines,
      source,
    )
})
