// The whole proof: format, lint, types, unit, API on both databases, build, browser. Goes on after a failure, ends with one line of counts.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ensureBuilt, ensureChromium, ensureInstalled, root, run } from './ensure.mjs'
import { startPostgres } from './postgres.mjs'
import { staticChecks } from './static-checks.mjs'

ensureInstalled()
const reports = join(root, 'test-results')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

let passed = 0
let failed = 0
/** What failed and why, told once more at the end: of a long output often only the end is kept. */
const failures = []

function count(name, code, counts) {
  passed += counts.passed
  // A runner that fails without a failed test (a crash, no test found) counts as one failure.
  const failing = counts.failed || (code === 0 ? 0 : 1)
  failed += failing
  if (failing > 0) failures.push(name, ...(counts.told ?? []))
  console.log(`${failing === 0 ? '✓' : '✗'} ${name}: ${counts.passed} passed, ${failing} failed\n`)
}

function step(name, command, args) {
  console.log(`── ${name}`)
  const code = run(command, args)
  count(name, code, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
}

function vitest(name, projects, extra = {}) {
  console.log(`── ${name}`)
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`)
  const flags = projects.flatMap((project) => ['--project', project])
  const code = run(
    'vitest',
    ['run', ...flags, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    extra,
  )
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const told = (report.testResults ?? []).flatMap((suite) => {
    const tests = suite.assertionResults.filter((test) => test.status === 'failed')
    if (tests.length > 0) return tests.map((test) => `  ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
    return suite.status === 'failed' ? [`  ${relative(root, suite.name)}: ${firstLine(suite.message)}`] : []
  })
  count(name, code, { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0, told })
}

function firstLine(text) {
  return (text ?? '').split('\n', 1)[0]
}

function browser() {
  console.log('── browser tests')
  const code = run('playwright', ['test', '-c', 'e2e/playwright.config.ts'])
  const file = join(reports, 'e2e.json')
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const stats = report.stats ?? {}
  const told = specsOf(report)
    .filter((spec) => !spec.ok)
    .map((spec) => `  ${spec.file}: ${spec.title}`)
  count('browser tests', code, {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
    told,
  })
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

for (const { name, command, args } of staticChecks) step(name, command, args)
vitest('unit tests', ['unit'])

// Both at once, for on each much of the time is spent waiting.
const postgres = await startPostgres()
if (postgres) {
  try {
    const projects = ['api', 'api-postgres']
    vitest('API tests on the embedded database and on PostgreSQL', projects, { POSTGRES_URL: postgres.url })
  } finally {
    postgres.stop()
  }
} else {
  vitest('API tests on the embedded database', ['api'])
  console.log('PostgreSQL 15 or newer was not found and could not be installed: its API tests did not run.\n')
}

ensureBuilt()
ensureChromium()
browser()

for (const line of failures) console.log(line)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
