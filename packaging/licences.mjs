// The licences of a release: winnode, its packages, and Bun with the libraries linked into it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { linked } from './linked.mjs'

const require = createRequire(import.meta.url)

/** One text; `between` separates its parts. */
export async function allLicences(root, between) {
  const read = (name) => readFile(path.join(root, name), 'utf8')
  const own = await Promise.all(['LICENSE', 'dist/THIRD-PARTY.txt'].map(read))
  return [...own, await licencesOfBun(root)].join(between)
}

/** Bun's packages contain no licence texts: these are from the SPDX list. */
export async function licencesOfBun(root) {
  const read = (name) => readFile(path.join(root, name), 'utf8')
  const { packages } = JSON.parse(await read('package-lock.json'))
  const intro = (await read('packaging/BUN.txt')).replaceAll(
    'VERSION',
    packages['node_modules/bun'].version,
  )
  const named = linked.flatMap(({ licence }) => licence.replace(/ WITH .*/, '').split(' AND '))
  const names = [...new Set(named)].filter((name) => !said.includes(name))
  const parts = [`${intro}\n${linked.map(row).join('\n')}`, ...names.sort().map(textOf)]
  return parts.map((part) => `${part.trim()}\n`).join(`\n${'-'.repeat(80)}\n\n`)
}

/** Licences without a text here: Apache-2.0 is winnode's own. */
const said = ['Apache-2.0', 'NOASSERTION']

function row({ name, licence, home, holders = [] }) {
  const own = licence === 'NOASSERTION' ? 'several licences' : licence
  return [`${name}: ${own}`, home, ...holders].join('\n  ')
}

function textOf(licence) {
  const { licenseText } = require(`spdx-license-list/licenses/${licence}.json`)
  const text = licenseText.replaceAll('\r\n', '\n').replace(/[^\S\n]+$/gm, '')
  return `${licence}\n\n${text}`
}
