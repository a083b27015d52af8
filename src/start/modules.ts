// The modules of `dist/program.cjs`: functions by name, each called when its module is first asked for.
import path from 'node:path'
import { isObject } from '../model/json.ts'

type Load = (id: string) => unknown
interface Module {
  readonly exports: unknown
}
type Body = (
  exports: unknown,
  require: Load,
  module: Module,
  filename: string,
  dirname: string,
) => void

/** What the module `main.cjs` exports; `bodies` are what the script `file` gives, `native` loads modules of Node. */
export function loadMain(file: string, bodies: unknown, native: Load): unknown {
  const folder = path.dirname(file)
  const modules = new Map<string, Module>()
  const load: Load = (id) =>
    id.startsWith('.') ? start(id.slice(id.lastIndexOf('/') + 1)) : native(id)

  function start(wanted: string): unknown {
    const known = modules.get(wanted)
    if (known) return known.exports
    const body = areBodies(bodies) ? bodies[wanted] : undefined
    if (!body) throw new Error(`${file} holds no module ${wanted}`)
    const module = { exports: {} }
    modules.set(wanted, module)
    body(module.exports, load, module, file, folder)
    return module.exports
  }

  return start('main.cjs')
}

function areBodies(bodies: unknown): bodies is Readonly<Record<string, Body>> {
  return isObject(bodies)
}
