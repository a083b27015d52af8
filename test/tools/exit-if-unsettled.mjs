// Preloaded into every test file: exits with 13 if a top-level `await` never settles, as Node.js does by itself.
// tap's signal-exit sets the exit code to 0 before that, so the tests after the `await` would be skipped silently.
process.once('exit', () => {
  const waiting = process.listeners('exit').some(({ name }) => name === 'handleProcessExit')
  if (waiting) process.exitCode = 13
})
