#!/usr/bin/env node
// Runs the built program; CommonJS starts 10 ms faster than an ES module.
'use strict'
const { existsSync } = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const program = path.join(root, 'dist/main.cjs')

async function run() {
  if (!existsSync(program)) {
    process.stderr.write('winnode is not built yet: run `npm run build` (npm ci does it too)\n')
    return 1
  }
  // Stack traces with files and lines of src; on demand, as Node would read the map at each start.
  if (process.env.WINNODE_DEBUG) process.setSourceMapsEnabled(true)
  const cache = require('../dist/compile-cache.cjs')
  return cache.loadCached(() => require(program)).main(process.argv.slice(2), root)
}

run().then((code) => {
  process.exitCode = code
})
