// Assembles the modules of the node from their parts, and copies the scripts that import them.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The modules, each with the folder of its parts and their order; a part is a file or a folder, and calls no later
 * one of its module, and none of a later module.
 */
export const nodeModules = [
  {
    file: 'WinNode.Loop.psm1',
    folder: 'loop',
    parts: [
      'module',
      'tables',
      'json',
      'host',
      'run',
      'facts',
      'services',
      'health',
      'watch',
      'exports',
    ],
  },
  {
    file: 'WinNode.psm1',
    folder: 'setup',
    needs: 'WinNode.Loop.psm1',
    parts: [
      ...['module', 'json', 'host', 'run', 'facts', 'downloads', 'services', 'cluster', 'kinds'],
      ...['agreement', 'preflight', 'health', 'walker', 'commands', 'exports'],
    ],
  },
  {
    file: 'WinNode.Report.psm1',
    folder: 'report',
    needs: 'WinNode.psm1',
    parts: ['module', 'host', 'report', 'commands', 'exports'],
  },
]

/** The modules have the same bytes in every bundle, so that they can be reviewed and signed once. */
export async function assembleNode(source, target) {
  await mkdir(target, { recursive: true })
  for (const one of nodeModules) {
    await writeFile(path.join(target, one.file), await moduleText(path.join(source, 'module'), one))
  }
  for (const name of (await readdir(source)).filter(isScript)) {
    await writeFile(path.join(target, name), await script(path.join(source, name)))
  }
}

async function moduleText(source, { folder, parts, needs }) {
  const all = path.join(source, folder)
  const names = (await readdir(all, { recursive: true })).map(withSlashes).filter(isScript)
  const sorted = parts.flatMap((part) => names.filter((name) => partOf(name) === part).sort())
  const unplaced = names.filter((name) => !sorted.includes(name))
  if (unplaced.length > 0) throw new Error(`${folder} has no place for ${unplaced.join(', ')}`)
  const texts = await Promise.all(sorted.map((name) => script(path.join(all, name))))
  if (!needs) return texts.join('\n')
  const [head, ...rest] = texts
  return [head, ...openScope(needs), rest.join('\n'), ...closeScope].join('\n')
}

// All functions share one scope, that of the first module: a module with a separate scope would see neither the run
// nor -WhatIf of its caller.
// https://github.com/PowerShell/PowerShell/issues/4568
function openScope(needs) {
  return [
    `Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath '${needs}') -Force -Global`,
    "$loop = Get-Module -Name 'WinNode.Loop'",
    '# The rest of this file runs in the scope of that module: it shares its run, its tables, and -WhatIf.',
    '. $loop {',
    '',
  ]
}

const closeScope = ['}', 'Import-Module -ModuleInfo $loop -Global', '']

/** Copies the files that a target writes as they are. */
export async function copyStatic(source, target) {
  await mkdir(target, { recursive: true })
  for (const name of await readdir(source)) {
    await writeFile(path.join(target, name), await script(path.join(source, name)))
  }
}

/** Windows PowerShell reads a file without a byte order mark in the machine's code page. */
async function script(file) {
  const text = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  if (!/^[\t\n\x20-\x7e]*\n$/.test(text)) throw new Error(`${file} is not lines of ASCII`)
  return text
}

function withSlashes(name) {
  return name.replaceAll(path.sep, '/')
}

function isScript(name) {
  return name.endsWith('.ps1')
}

function partOf(name) {
  return name.split('/')[0].replace(/\.ps1$/, '')
}
