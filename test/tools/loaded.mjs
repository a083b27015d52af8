// Goes before every test file: one that throws while it is loaded, or never is, fails with words of its own.
import { setImmediate } from 'node:timers'
import { t } from 'tap'

/** Others, which a test starts as it was started itself, have no last line that says so. */
const asked = /\.test\.[jt]s$/.test(process.argv[1] ?? '')
let loaded = !asked

const fail = (error) => {
  t.threw(error instanceof Error ? error : new Error(String(error)))
}

// tap knows what is thrown within a test, as long as nobody else listens; Node would end the process before that.
if (asked) process.on('uncaughtException', fail)

/** The last line of a test file, which test/tools/transpile.cjs writes. */
globalThis[Symbol.for('winnode.loaded')] = () => {
  loaded = true
  // What was rejected on the way is told in this turn.
  setImmediate(() => process.off('uncaughtException', fail))
}

process.once('exit', (code) => {
  if (!loaded && code === 0) process.exitCode = 13
})
