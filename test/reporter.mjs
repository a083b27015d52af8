// tap's reporter for `npm test`: a line for each file, every failure, the reasons of skips, and the counts last.
import { existsSync } from 'node:fs'
import { Transform } from 'node:stream'
import { t } from 'tap'
import { Parser } from 'tap-parser'
import { lendHosts } from './host/pool.mjs'

const long = process.argv.some((word) => /^--test-arg=--(all|stress)$/.test(word))
const limit = Number(process.env.TEST_LIMIT ?? (long ? 4 * 3600 : 1800))

export default class extends Transform {
  #parser = new Parser()
  #passed = 0
  #failed = []
  #skipped = new Map()

  constructor() {
    super()
    const hosts = lendHosts()
    // A file that tap times out is two results, of as many as there are files: another file is left out.
    t.on('spawn', (file) => {
      file.on('preprocess', ({ env }) => (env.WINNODE_HOSTS = hosts))
      file.on('process', (child) => setTimeout(() => child.kill('SIGKILL'), limit * 1000).unref())
    })
    // tap only looks at those that exist.
    for (const word of process.argv.slice(2))
      if (/^[^-*]*\.[cm]?[jt]s$/.test(word) && !existsSync(word)) this.#fail(word, 'no such file')
    this.#watch(this.#parser, [])
  }

  _transform(chunk, _, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush(done) {
    this.#parser.end()
    if (!this.#parser.ok && this.#failed.length === 0) this.#fail('tap', 'the report broke off')
    if (this.#passed + this.#failed.length === 0) this.#fail('tap', 'no test was run')
    this.#print('')
    for (const [reason, count] of this.#skipped) this.#print(`${count} skipped: ${reason}`)
    for (const name of this.#failed) this.#print(`FAIL ${name}`)
    const skipped = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0)
    this.#print(`${this.#passed} passed, ${this.#failed.length} failed, ${skipped} skipped`)
    if (this.#failed.length > 0) process.exitCode = 1
    done()
  }

  /** `trail` names the tests around. A test fails on its own only if nothing in it failed. */
  #watch(parser, trail) {
    let inner
    parser.on('child', (child) => {
      inner = { name: child.name, before: this.#failed.length }
      this.#watch(child, [...trail, child.name])
    })
    parser.on('assert', (result) => {
      const own = inner?.name === result.name ? inner : undefined
      inner = undefined
      const name = [...trail, result.name].join(' > ')
      // Not skipped: it is empty, or ended before its first test.
      const empty = result.skip === 'no tests found'
      if (empty) this.#fail(name, result.skip)
      else if (result.skip || result.todo) this.#skip(result.skip || result.todo)
      else if (result.ok) this.#passed += own ? 0 : 1
      else if (!(own && this.#failed.length > own.before)) this.#fail(name, detail(result.diag))
      if (trail.length === 0) {
        const seconds = ((result.time ?? 0) / 1000).toFixed(1)
        this.#print(
          `${result.ok && !empty ? 'ok  ' : 'FAIL'} ${result.name.padEnd(40)} ${seconds} s`,
        )
      }
    })
  }

  #skip(why) {
    const reason = why === true ? 'no reason given' : why
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1)
  }

  #fail(name, text) {
    this.#failed.push(name)
    this.#print(`FAIL ${name}\n${text.replace(/^/gm, '     ')}`)
  }

  #print(line) {
    this.push(`${line}\n`)
  }
}

/** TAP has no diagnostics for a test that its file left unfinished. */
function detail(diag) {
  const { at, diff, source, message, error, exitCode, signal } = diag ?? {}
  const place = at?.fileName && `${at.fileName}:${at.lineNumber}:${at.columnNumber}`
  const end = exitCode || signal ? `exited with ${signal ?? exitCode}` : ''
  return [place, message ?? error?.message, end, diff ?? source].filter(Boolean).join('\n')
}
