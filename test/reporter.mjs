// Counts what tap says, names every failure, and gathers the reasons of what was skipped.
import { Parser } from 'tap-parser'

/** As test/tools/loaded.mjs and Node itself end a file that hangs on the way. */
const unloaded = 13

/** Feed it TAP; it prints a line for each test file, what failed in it, and what tests count. */
export class Reporter {
  passed = 0
  failures = []
  /** Thresholds of coverage that were missed. */
  missed = []
  /** Counts by reason. */
  skips = new Map()
  #parser = new Parser()
  #print

  constructor(print) {
    this.#print = print
    this.#watch(this.#parser, [], { failed: 0 })
    this.#parser.on('comment', (comment) => this.#readComment(comment))
    this.#parser.on('bailout', (reason) => this.fail(`bailed out: ${reason}`))
  }

  write(text) {
    this.#parser.write(text)
  }

  end() {
    this.#parser.end()
    if (!this.#parser.ok && this.failures.length === 0)
      this.fail('the report of the tests broke off')
  }

  get executed() {
    return this.passed + this.failures.length
  }

  /** `tally` counts the failures below one test, which says so itself only when none of them did. */
  #watch(parser, trail, tally) {
    let child
    parser.on('comment', (comment) => {
      const [count] = /(?<=^# )\S+: \d+ of \d+ .+/.exec(comment) ?? []
      if (count) this.#print(`     ${count}`)
    })
    parser.on('child', (inner) => {
      child = { name: inner.name, tally: { failed: 0 } }
      this.#watch(inner, [...trail, inner.name], child.tally)
    })
    parser.on('assert', (result) => {
      const own = child?.name === result.name ? child : undefined
      child = undefined
      this.#count(result, trail, own, tally)
      const ok = result.ok && !asksNothing(result)
      if (trail.length === 0) this.#print(verdict(ok, result.name, result.time))
    })
  }

  #count(result, trail, own, tally) {
    if (asksNothing(result))
      return this.fail([...trail, result.name].join(' > '), 'no test was executed')
    if (result.skip || result.todo) {
      const reason = [result.skip, result.todo].find((each) => typeof each === 'string' && each)
      return this.#skip(reason ?? 'no reason given')
    }
    if (result.ok) {
      if (!own) this.passed += 1
      return
    }
    tally.failed += 1
    if (own && own.tally.failed > 0) return
    this.fail([...trail, result.name].join(' > '), detail(result.diag))
  }

  #skip(reason) {
    this.skips.set(reason, (this.skips.get(reason) ?? 0) + 1)
  }

  fail(name, text = '') {
    this.failures.push(name)
    this.#print(`FAIL ${name}${text && `\n${text.replace(/^/gm, '     ')}`}`)
  }

  /** How tap names a threshold that was missed, where its report is not the text one. */
  #readComment(comment) {
    const miss = /ERROR: incomplete (\w+) coverage \((.+)\)/.exec(comment)
    if (!miss) return
    this.missed.push(miss[1])
    this.fail(`coverage: only ${miss[2]} of the ${miss[1]}`)
  }
}

/** Nobody skipped it: it asserts nothing, or ended before it did. */
function asksNothing({ skip }) {
  return skip === 'no tests found'
}

export function verdict(ok, name, milliseconds) {
  const seconds = `${((milliseconds ?? 0) / 1000).toFixed(1)} s`
  return `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(40)} ${seconds.padStart(8)}`
}

function detail(diag) {
  if (!diag) return ''
  const { at, diff, source, message, error, exitCode, signal } = diag
  const place = at?.fileName && `${at.fileName}:${at.lineNumber}:${at.columnNumber}`
  const early = exitCode === unloaded ? ', before all of it was loaded' : ''
  const end = exitCode || signal ? `ended with ${signal ?? exitCode}${early}` : ''
  return [place, message ?? error?.message, end, diff ?? source].filter(Boolean).join('\n')
}
