#!/usr/bin/env node
// Runs the program that the build makes; CommonJS starts 10 ms faster than an ES module.
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
  // Stack traces name files and lines of src; not always, as Node reads the map at each start.
  if (process.env.WINNODE_DEBUG) process.setSourceMapsEnabled(true)
  require('../dist/compile-cache.cjs').enableCompileCache()
  return require(program).main(process.argv.slice(2), root)
}

run().then((code) => {
  process.exitCode = code
})
