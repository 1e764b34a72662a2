import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addPlaywright, addVitest, Results } from './results.mjs'

const root = join(import.meta.dirname, '..', '..')

const suite = (file: string, tests: Record<string, string>, problem?: { status: string; message: string }) => ({
  name: join(root, file),
  status: 'passed',
  message: '',
  ...problem,
  assertionResults: Object.entries(tests).map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? [`wrong: ${fullName}\n  at a line`] : [],
  })),
})

const spec = (title: string, status: string, message?: string) => ({
  specs: [
    {
      title,
      file: 'a.spec.ts',
      tests: [{ status, results: [{ error: message && { message } }], annotations: [{ description: message }] }],
    },
  ],
})

function closingLines(results: Results): string[] {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(...line.split('\n')))
  results.close()
  log.mockRestore()
  return lines.filter((line) => line !== '')
}

test('counts passed and failed tests, and prints each failure without its stack at the end', () => {
  const results = new Results()
  const testResults = [suite('tests/api/a.test.ts', { one: 'passed', two: 'failed' })]
  expect(addVitest(results, { testResults }, 1)).toBe(1)
  addPlaywright(results, { suites: [spec('walks', 'expected'), spec('runs', 'unexpected', 'lost\nits way')] }, 1)
  expect(closingLines(results)).toEqual([
    'Failed:',
    '  tests/api/a.test.ts: two: wrong: two',
    '  e2e/a.spec.ts: runs: lost | its way',
    '2 passed, 2 failed, 0 skipped',
  ])
})

test('a file that cannot be run counts as failed, with all the tests that it would have had', () => {
  const results = new Results()
  const testResults = [
    suite('tests/a.test.ts', {}, { status: 'failed', message: 'cannot find b.ts' }),
    suite('tests/c.test.ts', { one: 'skipped', two: 'skipped' }, { status: 'failed', message: 'hook failed' }),
  ]
  addVitest(results, { testResults }, 1)
  expect(closingLines(results)).toEqual([
    'Failed:',
    '  tests/a.test.ts: cannot find b.ts',
    '  tests/c.test.ts: hook failed',
    '0 passed, 3 failed, 0 skipped',
  ])
})

test('a test runner that fails without a failed test, or without a report, is a failure', () => {
  const results = new Results()
  addVitest(results, { testResults: [suite('tests/a.test.ts', { one: 'passed' })] }, 1)
  addPlaywright(results, undefined, 1)
  expect(results).toMatchObject({ passed: 1, failed: 2 })
})

test('an error outside of any test is reported by its message', () => {
  const results = new Results()
  addVitest(results, { testResults: [suite('tests/a.test.ts', { one: 'passed' })] }, 1, [
    'lost connection\n    at connect',
  ])
  expect(closingLines(results)).toEqual([
    'Failed:',
    '  outside of a test: lost connection',
    '1 passed, 1 failed, 0 skipped',
  ])
})

test('skipped tests give a reason; those of the other database that ran there are not listed', () => {
  const results = new Results()
  const testResults = [
    suite('tests/api/a.test.ts', { embedded: 'skipped', both: 'passed', never: 'skipped' }),
    suite('tests/api/a.test.ts', { embedded: 'passed', both: 'passed', never: 'skipped' }),
  ]
  addVitest(results, { testResults }, 0)
  addPlaywright(results, { suites: [spec('in WebKit', 'skipped', 'needs the driver')] }, 0)
  expect(closingLines(results)).toEqual([
    'Skipped:',
    '  tests/api/a.test.ts: never: needs PostgreSQL, or is switched off in its file',
    '  e2e/a.spec.ts: in WebKit: needs the driver',
    '3 passed, 0 failed, 2 skipped',
  ])
})

test('a test that passed only on retry counts as passed, and is listed', () => {
  const results = new Results()
  addPlaywright(results, { suites: [spec('walks', 'flaky', 'too slow')] }, 0)
  expect(closingLines(results)).toEqual([
    'Passed only when tried again:',
    '  e2e/a.spec.ts: walks: too slow',
    '1 passed, 0 failed, 0 skipped',
  ])
})

test('prints the twenty slowest tests, the slowest first, before what failed', () => {
  const results = new Results()
  const assertionResults = Array.from({ length: 30 }, (_, n) => {
    return { fullName: `test ${n}`, status: 'passed', duration: 100 * n, failureMessages: [] }
  })
  addVitest(results, { testResults: [{ name: join(root, 'src/a.test.ts'), status: 'passed', assertionResults }] }, 0)
  const slow = { status: 'unexpected', results: [{ duration: 4000 }, { duration: 8345 }] }
  addPlaywright(results, { specs: [{ title: 'a journey', file: 'a.spec.ts', tests: [slow] }] }, 1)
  const lines = closingLines(results)
  expect(lines.slice(0, 3)).toEqual([
    'Slowest tests:',
    '   12.3 s  e2e/a.spec.ts: a journey',
    '    2.9 s  src/a.test.ts: test 29',
  ])
  expect(lines.indexOf('Failed:')).toBe(21)
})

test('tests of the soak are not counted as skipped', () => {
  const results = new Results()
  const assertionResults = [{ fullName: 'rare', status: 'skipped', tags: ['soak'], failureMessages: [] }]
  addVitest(results, { testResults: [{ name: join(root, 'src/a.test.ts'), status: 'passed', assertionResults }] }, 0)
  expect(results.skipped).toBe(0)
})
