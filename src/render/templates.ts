// Loads precompiled templates on first use.
import { ownOf } from '../model/json.ts'
import { instantiate } from './engine.ts'
import type { Template } from './engine.ts'

/** `name` is a path below `templates/`, such as `crictl/crictl.yaml.hbs`. */
export type LoadTemplate = (name: string) => Promise<Template>

const loaded = new Map<string, Promise<Template>>()

export const loadTemplate: LoadTemplate = (name) => {
  const template = loaded.get(name) ?? load(name)
  loaded.set(name, template)
  return template
}

async function load(name: string): Promise<Template> {
  const { loaders } = await import('#templates')
  const loader = ownOf(loaders, name)
  if (!loader) throw new Error(`there is no template ${name}`)
  return instantiate((await loader()).default)
}
