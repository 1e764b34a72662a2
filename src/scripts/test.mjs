// Runs all checks, continues after a failure and ends with one line of counts.
// `--without=browser,postgres` leaves out parts; otherwise a missing part is a failure. `--changed`
// runs the static checks and the unit and API tests of files that differ from the branch main.
// `--shard=1/3` runs a part of the tests.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumAdvice, findChromium, installChromium, mayInstallChromium } from './browser.mjs'
import { build, ensureInstalled } from './ensure.mjs'
import { findPostgres, startPostgres } from './postgres.mjs'
import { addPlaywright, addVitest, Results } from './results.mjs'
import { root, runQuietly, runVerbose } from './run.mjs'
import { staticChecks } from './static-checks.mjs'
import { enterTemporaryFolder } from './temporary.mjs'

const parts = ['browser', 'postgres']
const words = process.argv.slice(2)
const changed = words.includes('--changed')
const shard = words.filter((word) => /^--shard=\d+\/\d+$/.test(word))
const without = new Set(
  words
    .filter((word) => word !== '--changed' && !shard.includes(word))
    .flatMap((word) => /^--without=(.*)$/.exec(word)?.[1].split(',') ?? [word]),
)
const unknown = [...without].filter((word) => !parts.includes(word))
if (unknown.length > 0) {
  console.error(
    `npm test knows only --without=${parts.join(',')}, --changed and --shard=1/3, not ${unknown.join(', ')}.`,
  )
  process.exit(1)
}
if (changed) without.add('browser')

const results = new Results()
const began = Date.now()
const reports = join(root, 'test-results')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
/** The counts are printed at any end, also when installing fails. */
let complete = false
const { folder: temporary, signal } = enterTemporaryFolder({
  onStop: (name) => results.fail(`stopped by ${name} before everything had run`),
  onEnd(code) {
    if (!complete) results.fail('ended before everything had run: see above')
    console.log(`\nTook ${seconds(began)}.`)
    results.close()
    process.exitCode = results.failed > 0 ? code || 1 : 0
  },
})

const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`
const readReport = (name) => {
  const file = join(reports, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

async function step(name, work) {
  if (signal.aborted) return
  console.log(`\n── ${name}`)
  const since = Date.now()
  const failedBefore = results.failed
  try {
    await work()
  } catch (error) {
    results.fail(`${name}: ${error instanceof Error ? error.message : error}`)
  }
  console.log(`${results.failed === failedBefore ? '✓' : '✗'} ${name}, ${seconds(since)}`)
}

async function staticStep() {
  await Promise.all(
    staticChecks.map(async ({ name, command, args, extra }) => {
      const { code, output } = await runQuietly(command, args, { extra, signal })
      if (code === 0) return results.pass()
      results.fail(`${name}: see above`)
      console.log(`${name}:\n${output}`)
    }),
  )
}

/** Component tests need a browser, but not the built app. */
async function vitestStep(chromium) {
  const browser = changed || without.has('browser') ? undefined : await chromium
  const postgres = without.has('postgres') ? null : await startPostgres({ durable: false })
  try {
    const extra = { ...(postgres && { POSTGRES_URL: postgres.url }), ...(browser && { CHROMIUM: browser }) }
    const onDatabase = await runVitest(browser ? [] : ['--project=!components'], extra)
    if (!browser && !changed) await leaveOutComponents()
    if (postgres) return
    const reason = without.has('postgres') ? 'left out by --without=postgres' : postgresAdvice
    results.skip('API tests on PostgreSQL', onDatabase, reason)
    if (!without.has('postgres')) results.fail('API tests on PostgreSQL could not run')
  } finally {
    postgres?.stop()
  }
}

/** Returns the number of tests run on a database. */
async function runVitest(projects, extra) {
  const reporters = [
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, 'vitest.json')}`],
    '--reporter=./src/scripts/unhandled-errors.mjs',
  ]
  const unhandled = { UNHANDLED_ERRORS: join(reports, 'unhandled-errors.json') }
  const args = ['run', ...projects, ...reporters, ...shard, ...(changed ? ['--changed', 'main'] : [])]
  const { code } = await runVerbose('vitest', args, { extra: { ...extra, ...unhandled }, signal })
  return addVitest(results, readReport('vitest.json'), code, readReport('unhandled-errors.json'))
}

async function leaveOutComponents() {
  const args = ['list', '--project=components', '--static-parse', '--json']
  const { output } = await runQuietly('vitest', args, { signal })
  const count = (output.match(/"name":/g) ?? []).length
  if (without.has('browser')) return results.skip('component tests', count, 'left out by --without=browser')
  results.fail('component tests could not run')
  results.skip('component tests', count, `there is no Chromium: ${chromiumAdvice}`)
}

async function browserStep(built, chromium) {
  const config = ['-c', 'e2e/playwright.config.ts']
  const leaveOut = async (reason) => {
    const { output } = await runQuietly('playwright', ['test', ...config, '--list', '--reporter=list'], { signal })
    results.skip('browser tests', Number(/Total: (\d+) test/.exec(output)?.[1] ?? 0), reason)
  }
  if (changed) return
  if (without.has('browser')) return leaveOut('left out by --without=browser')
  const problem = await built
  if (problem !== undefined) {
    console.log(problem)
    results.fail('the app could not be built: see above')
    return leaveOut('there is no app to look at')
  }
  const browser = await chromium
  if (!browser) {
    results.fail('browser tests could not run')
    return leaveOut(`there is no Chromium: ${chromiumAdvice}`)
  }
  const { code } = await runVerbose('playwright', ['test', ...config, ...shard], {
    extra: { CHROMIUM: browser },
    signal,
  })
  addPlaywright(results, readReport('e2e.json'), code)
}

const postgresAdvice = 'no PostgreSQL 15 or newer was found; install one, or run npm test -- --without=postgres'

/** Starts installing a missing browser. */
function prepareBrowser() {
  if (without.has('browser')) return undefined
  const found = findChromium()
  if (found) console.log(`Browser tests: ${found}`)
  else if (mayInstallChromium)
    console.log('Browser tests: the Debian package chromium-headless-shell, which is being installed now')
  else console.log(`Browser tests: there is no Chromium, so they cannot run; ${chromiumAdvice}`)
  return found ?? (mayInstallChromium ? installChromium(signal) : undefined)
}

console.log(`Temporary files: ${temporary}, removed at the end`)
const chromium = prepareBrowser()
ensureInstalled()
const postgres = without.has('postgres') ? undefined : findPostgres()
if (!without.has('postgres')) console.log(`API tests: the embedded database, and ${postgres?.name ?? 'nothing else'}`)
// Static checks leave a core idle, and the first tests do not need the build.
const built = without.has('browser') ? Promise.resolve(undefined) : build(signal)
await step('format, lint and types', staticStep)
await step('unit, API and component tests', () => vitestStep(chromium))
await step('browser tests', () => browserStep(built, chromium))
complete = true
