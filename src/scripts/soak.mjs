// Rare and slow faults: tests/soak, more rounds of tests/api, both databases, the engine with every
// photograph, failing fleets, watermark attacks, rare journeys, and the accessibility of every
// page. Each has a small case in `npm test` (docs/testing.md).
import { join } from 'node:path'
import { ensureBuilt, ensureChromium, ensureInstalled } from './ensure.mjs'
import { startPostgres } from './postgres.mjs'
import { runVerbose, serverOptions } from './run.mjs'
import { enterTemporaryFolder } from './temporary.mjs'

const { signal } = enterTemporaryFolder()
/** Runs a part even after a failed one, unless the soak was stopped. */
async function soak(command, args, extra = {}) {
  if (signal.aborted) return
  const { code } = await runVerbose(command, args, { extra, signal })
  process.exitCode ||= code
}

ensureInstalled()
const postgres = await startPostgres({ durable: false })
try {
  const names = ['unit', 'engine', 'api', ...(postgres ? ['api-postgres'] : [])]
  const projects = names.flatMap((name) => ['--project', name])
  const files = [
    ...['tests/api/crash.test.ts', 'tests/api/billing-crash.test.ts', 'tests/api/billing-model.test.ts'],
    ...[
      'tests/api/account-mail.test.ts',
      'tests/api/comfyui.test.ts',
      'tests/api/event-loop.test.ts',
      'tests/api/lost-connections.test.ts',
    ],
    ...['tests/soak', 'tests/api/video-malformed.test.ts', 'tests/api/video.test.ts', 'tests/api/models.test.ts'],
    ...['tests/api/hosted-providers.test.ts', 'tests/api/billing-revenue.test.ts', 'tests/api/backup.test.ts'],
    ...['tests/api/billing.test.ts', 'tests/api/generations-create.test.ts', 'tests/api/generations-run.test.ts'],
    ...['tests/api/server-database.test.ts', 'tests/api/server-process.test.ts', 'tests/api/portrait-tools.test.ts'],
    ...['tests/api/photo-checks.test.ts', 'src/tools', 'src/engine', 'tests/commands.test.ts'],
  ]
  const extra = { SOAK: '1', ...(postgres && { POSTGRES_URL: postgres.url }) }
  await soak('vitest', ['run', ...projects, ...files, ...process.argv.slice(2)], extra)
} finally {
  postgres?.stop()
}

await ensureBuilt()
await soak('node', [...serverOptions, join('tests', 'bench', 'load', 'chaos.ts')])
await soak('node', [...serverOptions, join('tests', 'bench', 'watermark.ts')])
await ensureChromium()
await soak('playwright', ['test', '-c', 'e2e/playwright.config.ts'], { SOAK: '1' })
const inAllSizes = ['accessibility', 'studio-layout', 'whole-texts', 'profile-page', 'auth-page']
await soak('vitest', ['run', '--project', 'components', ...inAllSizes], { SOAK: '1' })
