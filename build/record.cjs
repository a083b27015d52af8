// Renders once, and writes what V8 has compiled for it beside each file of the program.
'use strict'
const { mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { load, loaded } = require('../bin/load.cjs')

const root = path.join(__dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'winnode-'))
const argv = ['render', 'ws2022-flannel-overlay', '--out', path.join(folder, 'out'), '--quiet']

/** What a run that starts meanwhile finds is whole. */
function write(file, content) {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

async function record() {
  process.stdout.write = () => true
  const code = await load(path.join(root, 'dist/main.cjs')).main(argv, root)
  if (code !== 0) throw new Error(`the first render ended with ${code}`)
  for (const [file, { script }] of loaded) write(`${file}.cache`, script.createCachedData())
}

record().finally(() => rmSync(folder, { recursive: true }))
