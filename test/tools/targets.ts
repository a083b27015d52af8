// The input of targets in tests: a built-in profile, its bundle, and target settings.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { renderFile } from '../../src/render/render-file.ts'
import { loadTemplate } from '../../src/render/templates.ts'
import type { TargetSettings } from '../../src/model/target-settings.ts'
import type { Input } from '../../src/targets/target.ts'
import { compileBuiltin, readStatic, renderCompiled } from './bundle.ts'

type Settings = { readonly [name in keyof TargetSettings]?: Partial<TargetSettings[name]> }

export async function targetInput(profile: string): Promise<Input> {
  const compiled = compileBuiltin(profile)
  const { plan, facts } = compiled
  if (!plan) throw new Error(`${profile} is refused`)
  const bundle = await renderCompiled(compiled)
  return {
    plan,
    facts,
    isSet: () => true,
    bundle,
    read: () => 'no such file',
    render: (file) => renderFile(file, { readStatic, loadTemplate }),
  }
}

/** Merges `settings` into the settings of each target. */
export function withTargets(input: Input, settings: Settings, more: Partial<Input> = {}): Input {
  const { facts } = input
  const { targets } = facts.spec
  const own = {
    userdata: { ...targets.userdata, ...settings.userdata },
    capi: { ...targets.capi, ...settings.capi },
    packer: { ...targets.packer, ...settings.packer },
    ansible: { ...targets.ansible, ...settings.ansible },
  }
  return { ...input, facts: { ...facts, spec: { ...facts.spec, targets: own } }, ...more }
}

export function filesBelow(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  return new Map(names.sort().map((name) => [name, readFileSync(path.join(folder, name))]))
}

/** Reads a bundle from a folder. */
export function bundleIn(folder: string): readonly { path: string; content: Buffer }[] {
  return [...filesBelow(folder)].map(([name, content]) => ({ path: name, content }))
}
