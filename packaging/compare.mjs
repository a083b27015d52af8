// Compares an executable with the program on Node: exit code, output and files of each command line.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { casesOf } from './compare/cases.mjs'
import { outcomeOf, withCache } from './compare/run.mjs'

/** `nodes` are paths of Node executables. Returns the number of differing cases. */
export async function compareAll(root, executable, nodes) {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'winnode-compare-'))
  const folder = path.join(temporary, 'case')
  const kept = path.join(temporary, 'kept')
  const { default: manifest } = await import('../dist/generated/manifest.js')
  const cases = casesOf(Object.keys(manifest.commands), await goldensOf(root))
  let differing = 0
  try {
    for (const one of cases) {
      const ours = await outcomeOf([executable], one, folder)
      for (const node of nodes) {
        const program = [node, path.join(root, 'bin/run.cjs')]
        const theirs = await outcomeOf(program, withCache(one, kept), folder)
        const parts = Object.keys(ours).filter((key) => !isDeepStrictEqual(ours[key], theirs[key]))
        if (parts.length === 0) continue
        differing += 1
        console.log(`${one.name}: ${parts.join(', ')} differ from ${node}`)
        for (const key of parts)
          console.log(`  executable: ${shown(ours[key])}\n  Node:       ${shown(theirs[key])}`)
      }
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  console.log(
    `${cases.length} command lines compared with ${nodes.length} Node, ${differing} differ`,
  )
  return differing
}

async function goldensOf(root) {
  const folder = path.join(root, 'test/golden')
  const names = (await readdir(folder)).filter((name) =>
    existsSync(path.join(folder, name, 'profile.yaml')),
  )
  return await Promise.all(
    names.sort().map(async (name) => ({
      name,
      text: await readFile(path.join(folder, name, 'profile.yaml'), 'utf8'),
    })),
  )
}

function shown(value) {
  return JSON.stringify(value)?.slice(0, 500)
}
