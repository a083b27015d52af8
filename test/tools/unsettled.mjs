// Goes before every test file: ends with 13 one that still waits for an `await` at its top level, as Node alone does.
// tap's signal-exit sets the exit code to 0 before Node looks, and the tests after that line would be missing unnoticed.
process.once('exit', () => {
  const waiting = process.listeners('exit').some(({ name }) => name === 'handleProcessExit')
  if (waiting) process.exitCode = 13
})
