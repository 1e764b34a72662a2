// Collects results and prints the summary.
import { relative } from 'node:path'
import { root } from './run.mjs'

/** `failures`, `skips` and `retried` hold one line each. */
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

  skip(what, count, reason) {
    this.skipped += count
    this.skips.push(`${what}: ${reason}`)
  }

  /** The end of a long output may be all that is kept. */
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

/** Message of an error without its stack, at most five lines in one. */
function messageOf(text) {
  const lines = (text ?? '').trim().split('\n')
  const end = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, end > 0 ? Math.min(end, 5) : 5)
    .map((line) => line.trim().slice(0, 300))
    .filter(Boolean)
    .join(' | ')
}

export function addVitest(results, report, code, unhandledErrors = []) {
  const suites = report?.testResults ?? []
  const failedBefore = results.failed
  for (const message of unhandledErrors) results.fail(`outside of a test: ${messageOf(message)}`)
  const ranSomewhere = new Set()
  const notRun = new Map()
  let onDatabase = 0
  for (const suite of suites) {
    const file = relative(root, suite.name)
    const broken = suite.status === 'failed' && suite.assertionResults.every(({ status }) => status !== 'failed')
    if (broken)
      results.fail(
        `${file}: ${messageOf(suite.message) || 'could not be run'}`,
        Math.max(1, suite.assertionResults.length),
      )
    for (const test of suite.assertionResults) {
      const name = `${file}: ${test.fullName}`
      if (test.duration !== undefined) results.time(name, test.duration)
      if (test.status === 'passed') {
        results.pass()
        ranSomewhere.add(name)
        if (file.startsWith('tests/api/')) onDatabase += 1
        if (test.failureMessages?.length > 0) results.retried.push(`${name}: ${messageOf(test.failureMessages[0])}`)
      } else if (test.status === 'failed') {
        results.fail(`${name}: ${messageOf(test.failureMessages?.[0])}`)
        ranSomewhere.add(name)
      } else if (!broken && !test.tags?.includes('soak')) notRun.set(name, test)
    }
  }
  // A test for one database is skipped on the other, but has run.
  for (const name of notRun.keys())
    if (!ranSomewhere.has(name)) results.skip(name, 1, 'needs PostgreSQL, or is switched off in its file')
  if (code !== 0 && results.failed === failedBefore)
    results.fail('unit, API and component tests: the runner failed without a failed test')
  return onDatabase
}

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
      results.retried.push(`${name}: ${messageOf(test.results?.[0]?.error?.message)}`)
    } else results.fail(`${name}: ${messageOf(test.results?.at(-1)?.error?.message)}`)
  }
  if (code !== 0 && results.failed === failedBefore)
    results.fail('browser tests: the runner failed without a failed test')
}

const sum = (values = []) => values.reduce((total, value) => total + value, 0)

function testsOf({ specs = [], suites = [] }) {
  return [...specs.flatMap((spec) => spec.tests.map((test) => ({ spec, test }))), ...suites.flatMap(testsOf)]
}
