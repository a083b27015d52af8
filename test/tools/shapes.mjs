// Generates large profiles, to find inputs that take more than linear time: one for each way to make a list, a map or a
// string of the profile schema large, and for each construct of YAML. New fields are covered through the schema.

/** A profile that renders. */
const header = {
  apiVersion: 'winnode/v1',
  kind: 'NodeProfile',
  extends: 'ws2022-flannel-overlay',
  join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'0'.repeat(64)}`] },
}

/** Repeated strings that make backtracking regular expressions slow. */
const runs = [
  'a',
  'a-',
  'a.',
  '1.',
  '-',
  ' ',
  'a ',
  '/',
  'a/',
  'a:',
  '://',
  'a://a',
  'a:a@',
  'eyJ-',
  'eyJaaaaaaaaaa.',
  '-----BEGIN ',
  'a=a,',
  'C:\\',
  '\\',
  '"',
  '1h',
  'é',
  '漢',
  '{',
  '\u200b',
]

/** Yields `{ name, text }`, where `text` is a function. `size` is the maximum length of the text in bytes. */
export function* shapes(schema, size) {
  yield* ofYaml(size)
  yield* ofFields(schema, size)
  yield* ofAmounts(size - 200)
}

/** Fields that are parsed as quantities, which the schema does not say. */
const amounts = [
  ['machine', 'memory'],
  ['reserve', 'evictionHard', 'memory.available'],
  ['kubelet', 'config', 'containerLogMaxSize'],
  ['kubelet', 'config', 'syncFrequency'],
  ['kubelet', 'config', 'memoryThrottlingFactor'],
]

/** Long runs of digits before an invalid end, at which a pattern can backtrack. */
function* ofAmounts(size) {
  for (const path of amounts)
    for (const [digit, end] of ['0%', '1x'])
      yield {
        name: `${path.join('.')}: amount of ${digit} before ${end}`,
        text: () => JSON.stringify(written(path, digit.repeat(size) + end)),
      }
}

function* ofFields(schema, size) {
  for (const { path, at } of places(schema, schema, []))
    for (const [what, value] of fillings(at, schema, size - 200, path))
      yield {
        name: `${path.join('.')}: ${what}`,
        text: () => JSON.stringify(written(path, value())),
      }
}

/** Every node of the schema with a path to it; list items have index 0, map entries an example key. */
function* places(node, schema, path) {
  const at = node.$ref ? resolved(node, schema) : node
  yield { path, at }
  if (node.$ref) return
  for (const [key, child] of Object.entries(at.properties ?? {}))
    yield* places(child, schema, [...path, key])
  if (at.items) yield* places(at.items, schema, [...path, 0])
  if (typeof at.additionalProperties === 'object')
    yield* places(at.additionalProperties, schema, [...path, keysOf(at)(0)])
  for (const child of at.anyOf ?? []) yield* places(child, schema, path)
}

function resolved({ $ref }, { $defs }) {
  return $defs[$ref.split('/').at(-1)]
}

/** Values of the given size for a node of the schema, each with a name. */
function* fillings(at, schema, size, path) {
  const kinds = [at.type].flat()
  if (kinds.includes('string')) {
    const own = String(exampleOf(at) || 'a')
    // Only three of the runs for each field, which all fields together cover many times.
    const first = path.join().length
    const some = [0, 1, 2].map((more) => runs[(first + more * 7) % runs.length])
    for (const run of [own, ...(path.at(-1) === 'summary' ? runs : some)])
      yield [`text of ${JSON.stringify(run)}`, () => run.repeat(repetitions(run, size))]
  }
  if (kinds.includes('array')) {
    const item = valuesOf(at.items, schema, at.examples?.[0]?.[0])
    yield ['list', () => list(size, item)]
    yield ['list of the same', () => list(size, () => item(0))]
    yield ['list of wrong kinds', () => list(size, () => [])]
    yield ['list of nulls', () => list(size, () => null)]
    yield ['list of words', () => list(size, (index) => `a${index}`)]
  }
  if (kinds.includes('object')) {
    const open = typeof at.additionalProperties === 'object'
    const value = open ? valuesOf(at.additionalProperties, schema) : () => 1
    const key = open ? keysOf(at) : (index) => nearly(at, index)
    yield [open ? 'map' : 'map of nearly known keys', () => map(size, key, value)]
    yield ['map of bad keys', () => map(size, (index) => `-${index}!`, value)]
    yield ['map of words', () => map(size, (index) => `key${index}`, value)]
    yield ['map of wrong kinds', () => map(size, key, () => [])]
    yield ['map of a long key', () => ({ ['a-'.repeat(size / 2 - 10)]: value(0) })]
  }
  if (path.at(-1) === 'config') {
    yield ['rows of maps', () => ({ a: list(size, (index) => ({ [`k${index % 7}`]: index })) })]
    yield ['deep and wide', () => deep(40, { a: list(size - 600, (index) => index) })]
    yield ['one text', () => ({ a: 'a-'.repeat(size / 2 - 20) })]
  }
}

function nearly(at, index) {
  const names = Object.keys(at.properties ?? { name: 0 })
  return `${names[index % names.length]}${index}`
}

/** How often a text fits into a size, as JSON. */
function repetitions(text, size) {
  return Math.max(1, Math.floor(size / (Buffer.byteLength(JSON.stringify(text)) - 2)))
}

function list(size, item) {
  const items = []
  for (let left = size; left > 0;) {
    const next = item(items.length)
    left -= Buffer.byteLength(JSON.stringify(next)) + 1
    if (left > 0) items.push(next)
  }
  return items
}

function map(size, key, value) {
  const entries = list(size, (index) => [key(index), value(index)])
  return Object.fromEntries(entries)
}

function deep(levels, value) {
  return levels === 0 ? value : { k: deep(levels - 1, value) }
}

function written(path, value) {
  const patch = path.reduceRight(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  )
  return typeof patch === 'object' && patch && !Array.isArray(patch)
    ? { ...header, ...patch, join: { ...header.join, ...patch.join } }
    : patch
}

function keysOf({ propertyNames = {}, examples = [] }) {
  const example = Object.keys(examples[0] ?? {})[0]
  if (propertyNames.enum) return (index) => propertyNames.enum[index % propertyNames.enum.length]
  const varied = variations(propertyNames, example ?? exampleOf(propertyNames) ?? 'name')
  return (index) => varied(index)
}

/** A function from an index to a valid value, distinct for each index where the schema allows that. */
function valuesOf(node, schema, example) {
  const at = node.$ref ? resolved(node, schema) : node
  const own = example ?? exampleOf(at)
  const [kind] = [at.type].flat()
  if (kind === 'string') return variations(at, String(own ?? 'name'))
  if (kind === 'integer' || kind === 'number') return (index) => index
  if (kind === 'boolean') return (index) => index % 2 === 0
  if (kind === 'array') {
    const item = valuesOf(at.items, schema)
    return (index) => [item(index)]
  }
  if (kind === 'object') {
    const required = Object.entries(at.properties ?? {}).filter(([key]) =>
      at.required?.includes(key),
    )
    const fields = required.map(([key, child]) => [key, valuesOf(child, schema, own?.[key])])
    return (index) => Object.fromEntries(fields.map(([key, value]) => [key, value(index)]))
  }
  return (index) => own ?? `value ${index}`
}

function exampleOf({ examples, default: fallback, enum: choices, const: only }) {
  return examples?.[0] ?? fallback ?? choices?.[0] ?? only
}

/** Varies the digits and letters of an example, as far as the pattern allows. */
function variations({ pattern = '' }, example) {
  const within = new RegExp(pattern)
  // A number of an address or of a version has no leading zero, which not every pattern says.
  const right = { test: (text) => within.test(text) && !/(?:^|\.)0\d/.test(text) }
  return (index) => {
    let left = index
    const characters = [...example]
    for (let at = characters.length - 1; at >= 0 && left > 0; at -= 1) {
      const before = characters[at]
      const [from, count] = /\d/.test(before) ? ['0', 10] : /[a-z]/.test(before) ? ['a', 26] : []
      if (from === undefined) continue
      const offset = (before.charCodeAt(0) - from.charCodeAt(0) + left) % count
      characters[at] = String.fromCharCode(from.charCodeAt(0) + offset)
      if (right.test(characters.join(''))) left = Math.floor(left / count)
      else characters[at] = before
    }
    if (left === 0) return characters.join('')
    const longer = example + index
    return right.test(longer) ? longer : characters.join('')
  }
}

const head = Object.entries(header)
  .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  .join('')

/** Large documents of one YAML construct each; `n` counts the repetitions. */
function* ofYaml(size) {
  const lines = (line, before = '', after = '') => {
    const parts = [head, before]
    for (let left = size - head.length - before.length - after.length, n = 0; ; n += 1) {
      const next = line(n)
      left -= Buffer.byteLength(next)
      if (left < 0) break
      parts.push(next)
    }
    return [...parts, after].join('')
  }
  const rows = {
    comments: () => lines((n) => `# ${n}\n`),
    'one comment': () => lines(() => 'a ', '# '),
    'blank lines': () => lines(() => '\n'),
    blanks: () => lines(() => ' '),
    tabs: () => lines(() => '\t'),
    words: () => lines((n) => `w${n} `),
    'unknown keys': () => lines((n) => `k${n}: ${n}\n`),
    'unknown keys on one line': () => lines((n) => `k${n}: 1, `, 'kubelet: {', '}'),
    'unknown keys below': () => lines((n) => `  k${n}: 1\n`, 'kubelet:\n'),
    'duplicate keys': () => lines(() => 'name: a\n'),
    'duplicate keys on one line': () => lines(() => 'name: a, ', 'kubelet: {', '}'),
    'keys that are no text': () => lines((n) => `${n}: 1\n`),
    'keys that are maps': () => lines((n) => `? {a: ${n}}\n: 1\n`),
    'explicit keys': () => lines((n) => `? k${n}\n`),
    'forbidden keys': () => lines(() => '__proto__: 1\n'),
    'merge keys': () => lines(() => '<<: {}\n'),
    'second keys on a line': () => lines((n) => `a${n}: b: c\n`),
    'lists in brackets': () => lines(() => '['),
    'lists and ends': () => lines(() => '[', 'a: ') + ']',
    'maps in brackets': () => lines(() => '{a: '),
    'brackets that end': () => lines(() => ']'),
    'pairs of brackets': () => lines(() => '[],', 'kubelet: [', ']'),
    dashes: () => lines(() => '- '),
    'dashes below': () => lines(() => '- a\n', 'kubelet:\n'),
    colons: () => lines(() => ': '),
    'question marks': () => lines(() => '? '),
    stairs: () => lines((n) => `${' '.repeat(n)}a:\n`),
    'stairs of lists': () => lines((n) => `${' '.repeat(n)}-\n`),
    aliases: () => lines((n) => `k${n}: *a\n`, 'a: &a 1\n'),
    'aliases of a map': () => lines((n) => `k${n}: *a\n`, 'a: &a {b: [1, 2, 3, 4]}\n'),
    'aliases of aliases': () =>
      lines((n) => `k${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`, 'k: &a0 [1]\n'),
    'aliases of nothing': () => lines((n) => `k${n}: *b${n}\n`),
    anchors: () => lines((n) => `k${n}: &a${n} 1\n`),
    tags: () => lines((n) => `k${n}: !t${n} 1\n`),
    'known tags': () => lines((n) => `k${n}: !!binary aaaa\n`),
    directives: () => lines((n) => `%X ${n}\n`),
    documents: () => lines(() => '---\n'),
    'documents with keys': () => lines((n) => `---\na: ${n}\n`),
    'document ends': () => lines(() => '...\n'),
    'carriage returns': () => lines(() => 'a: 1\r'),
    'lines of Windows': () => lines((n) => `k${n}: 1\r\n`),
    NUL: () => lines(() => '\0'),
    'control characters': () => lines((n) => String.fromCharCode(1 + (n % 8))),
    'private characters': () => lines((n) => String.fromCharCode(0xfff0 + (n % 9))),
    'lone surrogates': () => lines((n) => `k${n}: "\\ud800"\n`),
    'NUL in escapes': () => lines((n) => `k${n}: "\\0"\n`),
    'large numbers': () => lines((n) => `k${n}: 99999999999999999999\n`),
    'one large number': () => lines(() => '9', 'name: '),
    escapes: () => lines(() => '\\u0061', 'summary: "', '"'),
    'wrong escapes': () => lines(() => '\\q', 'summary: "', '"'),
    'quote without end': () => lines(() => 'a ', 'summary: "'),
    'quotes without end': () => lines((n) => `k${n}: "a\n`),
    'single quotes': () => lines(() => "''", "summary: '", "'"),
    'literal text': () => lines(() => ' a\n', 'summary: |\n'),
    'folded text': () => lines(() => ' a\n\n', 'summary: >\n'),
    'plain text over lines': () => lines(() => '  a\n', 'summary: a\n'),
    'one plain text': () => lines(() => 'a', 'summary: '),
    'colons in text': () => lines(() => 'a:', 'summary: '),
    'percent signs': () => lines(() => '%'),
    'block heads': () => lines((n) => `k${n}: |9x\n`),
    'wrong indents': () => lines((n) => `${' '.repeat(n % 5)}a${n}: 1\n`),
    secrets: () => lines((n) => `k${n}: abcdef.0123456789abcdef\n`),
    'secrets on one line': () => lines((n) => `k${n}: "http://u:p@h", `, 'kubelet: {', '}'),
    'labels on one line': () => lines((n) => `k-${n}-: a, `, 'kubelet: {labels: {', '}}'),
    'gates on one line': () => lines((n) => `G${n}: true, `, 'kubelet: {featureGates: {', '}}'),
  }
  for (const [name, text] of Object.entries(rows)) yield { name: `YAML: ${name}`, text }
}
