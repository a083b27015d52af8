#!/usr/bin/env node
// Hands the process to the program that the build makes.
import module from 'node:module'

module.enableCompileCache?.()

const { main } = await import('../dist/main.js').catch((error) => {
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' && error.url?.endsWith('/dist/main.js')
  if (!missing) throw error
  process.stderr.write('winnode is not built yet: run `npm run build` (npm ci does it too)\n')
  process.exit(1)
})

process.exitCode = await main(process.argv.slice(2))
