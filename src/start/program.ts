// The modules of the program: those of `dist/main.cjs`, and those of `dist/program.cjs` beside it once one is asked for.
import path from 'node:path'
import { isObject } from '../model/json.ts'
import { runScript } from './script.ts'

type Bodies = Readonly<Record<string, Body>>
type Body = (
  exports: unknown,
  require: Load,
  module: Module,
  filename: string,
  dirname: string,
) => void
type Load = (id: string) => unknown
interface Module {
  readonly exports: unknown
}

/** What the module `main.cjs` exports; `digest` is that of `program.cjs`. */
export function program(folder: string, require: Load, first: Bodies, digest: string): unknown {
  const filename = path.join(folder, 'program.cjs')
  const modules = new Map<string, Module>()
  let rest: Bodies | undefined

  const load: Load = (id) =>
    id.startsWith('.') ? start(id.slice(id.lastIndexOf('/') + 1)) : require(id)

  function start(name: string): unknown {
    const known = modules.get(name)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(name, module)
    const body = first[name] ?? others()[name]
    body?.(module.exports, load, module, filename, folder)
    return module.exports
  }

  function others(): Bodies {
    if (rest) return rest
    const given = runScript(filename, digest, process.argv.slice(2))
    if (!isBodies(given)) throw new Error(`${filename} is not what the build has made`)
    rest = given
    return rest
  }

  return start('main.cjs')
}

function isBodies(given: unknown): given is Bodies {
  return isObject(given)
}
