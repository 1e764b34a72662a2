// Collects the results of the parts of `npm test` and prints the summary.
import { relative } from 'node:path'
import { root } from './run.mjs'

/** Counts of a whole run; `failures`, `skips` and `retried` hold one line each. */
export class Results {
  passed = 0
  failed = 0
  skipped = 0
  failures = []
  skips = []
  retried = []
  /** Names and milliseconds of the tests that ran. */
  durations = []

  pass(count = 1) {
    this.passed += count
  }

  fail(line, count = 1) {
    this.failed += count
    this.failures.push(line)
  }

  /** Notes how long a test took. */
  time(name, milliseconds = 0) {
    this.durations.push({ name, milliseconds })
  }

  /** Skipped part, number of its tests, and the reason. */
  skip(what, count, reason) {
    this.skipped += count
    this.skips.push(`${what}: ${reason}`)
  }

  /** Prints the summary, which may be all that is kept of a long output, and the closing line. */
  close() {
    const part = (title, lines) => {
      if (lines.length > 0) console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`)
    }
    part('Slowest tests:', slowestOf(this.durations))
    part('Passed only when tried again:', this.retried)
    part('Skipped:', this.skips)
    part('Failed:', this.failures)
    console.log(`\n${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`)
  }
}

const slowestCount = 20

/** Lines such as `12.3 s  file: test`, the slowest first. */
function slowestOf(durations) {
  const slowest = durations.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, slowestCount)
  return slowest.map(({ name, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(5)} s  ${name}`)
}

const firstLine = (text) => (text ?? '').trim().split('\n', 1)[0]

/**
 * Adds a JSON report of Vitest and errors outside of tests; returns the number of tests run on a
 * database.
 */
export function addVitest(results, report, code, unhandledErrors = []) {
  const suites = report?.testResults ?? []
  const failedBefore = results.failed
  for (const message of unhandledErrors) results.fail(`outside of a test: ${firstLine(message)}`)
  const ranSomewhere = new Set()
  const notRun = new Map()
  let onDatabase = 0
  for (const suite of suites) {
    const file = relative(root, suite.name)
    const broken = suite.status === 'failed' && suite.assertionResults.every(({ status }) => status !== 'failed')
    if (broken)
      results.fail(
        `${file}: ${firstLine(suite.message) || 'could not be run'}`,
        Math.max(1, suite.assertionResults.length),
      )
    for (const test of suite.assertionResults) {
      const name = `${file}: ${test.fullName}`
      if (test.duration !== undefined) results.time(name, test.duration)
      if (test.status === 'passed') {
        results.pass()
        ranSomewhere.add(name)
        if (file.startsWith('tests/api/')) onDatabase += 1
        if (test.failureMessages?.length > 0) results.retried.push(name)
      } else if (test.status === 'failed') {
        results.fail(`${name}: ${firstLine(test.failureMessages?.[0])}`)
        ranSomewhere.add(name)
      } else if (!broken && !test.tags?.includes('soak')) notRun.set(name, test)
    }
  }
  // Tests for one database are skipped on the other one, and have run.
  for (const name of notRun.keys())
    if (!ranSomewhere.has(name)) results.skip(name, 1, 'needs PostgreSQL, or is switched off in its file')
  if (code !== 0 && results.failed === failedBefore)
    results.fail('unit and API tests: the runner failed without a failed test')
  return onDatabase
}

/** Adds a JSON report of Playwright. */
export function addPlaywright(results, report, code) {
  const failedBefore = results.failed
  for (const { spec, test } of report ? testsOf(report) : []) {
    const name = `e2e/${spec.file}: ${spec.title}`
    const took = sum(test.results?.map(({ duration = 0 }) => duration))
    if (took > 0) results.time(name, took)
    if (test.status === 'expected') results.pass()
    else if (test.status === 'skipped')
      results.skip(
        name,
        1,
        test.annotations?.find(({ description }) => description)?.description ?? 'switched off in its file',
      )
    else if (test.status === 'flaky') {
      results.pass()
      results.retried.push(name)
    } else results.fail(`${name}: ${firstLine(test.results?.at(-1)?.error?.message)}`)
  }
  if (code !== 0 && results.failed === failedBefore)
    results.fail('browser tests: the runner failed without a failed test')
}

const sum = (values = []) => values.reduce((total, value) => total + value, 0)

function testsOf({ specs = [], suites = [] }) {
  return [...specs.flatMap((spec) => spec.tests.map((test) => ({ spec, test }))), ...suites.flatMap(testsOf)]
}
