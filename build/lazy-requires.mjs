// Has oclif load each of its modules where it is first used: a run reaches a third of them.
import { readFile } from 'node:fs/promises'

export function lazyRequires() {
  return {
    name: 'lazy requires',
    setup(build) {
      build.onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, async ({ path }) => ({
        contents: withLazyRequires(await readFile(path, 'utf8')),
      }))
    },
  }
}

/** As TypeScript writes it: a line for each module, and a name that nothing else has. */
const required = /^(?:const|var) (\w+_\d+) = (.*\brequire\(".*"\).*);$/

function withLazyRequires(text) {
  const lines = text.split('\n')
  const names = lines.flatMap((line) => required.exec(line)?.[1] ?? [])
  if (names.length === 0) return text
  const use = new RegExp(String.raw`(?<![.\w])(?:${names.join('|')})\b`, 'g')
  return lines
    .map((line) => {
      const [, name, module] = required.exec(line) ?? []
      return name
        ? `let ${name}_; const ${name} = () => (${name}_ ??= ${module});`
        : line.replace(use, '($&())')
    })
    .join('\n')
}
