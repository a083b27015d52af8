// Has oclif load each of its modules where it is first used, as a run reaches a third of them, and no stream.
import { readFile } from 'node:fs/promises'

export function slimOclif() {
  return {
    name: 'slim oclif',
    setup(build) {
      build.onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const command = /[\\/]lib[\\/]command\.js$/.test(path)
        return { contents: withLazyRequires(command ? withoutStream(text) : text) }
      })
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

/** It listens there for a reader that has left, who is met in `src/commands/outputs.ts`. */
const listening = /^process\.stdout\.on\('error', \(err\) => \{\n(?: .*\n)*?\}\);\n/m

function withoutStream(text) {
  if (!listening.test(text))
    throw new Error('oclif’s command.js no longer listens to standard output')
  return text.replace(listening, '')
}
