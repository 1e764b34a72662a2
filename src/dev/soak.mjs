// Rare and slow truths: tests/soak whole, and the tests of tests/api that take more rounds with
// SOAK set (kills, random steps, lost connections, the largest calls of every route); money and
// generations on both databases; the engine with every photograph; a fleet whose parts fail one
// after the other; attacks on the watermarks of previews; accessibility of every page in every
// look. Each has a small case in `npm test` (docs/testing.md).
import { join } from 'node:path'
import { ensureBuilt, ensureChromium, ensureInstalled } from './ensure.mjs'
import { startPostgres } from './postgres.mjs'
import { run, serverOptions } from './run.mjs'

ensureInstalled()
const postgres = await startPostgres({ durable: false })
try {
  const projects = ['--project', 'unit', '--project', 'api', ...(postgres ? ['--project', 'api-postgres'] : [])]
  const files = [
    ...['tests/api/crash.test.ts', 'tests/api/billing-crash.test.ts', 'tests/api/billing-model.test.ts'],
    ...['tests/api/comfyui.test.ts', 'tests/api/event-loop.test.ts', 'tests/api/lost-connections.test.ts'],
    ...['tests/soak', 'tests/api/video-malformed.test.ts'],
    ...['tests/api/billing.test.ts', 'tests/api/generations-create.test.ts', 'tests/api/generations-run.test.ts'],
    ...['src/tools', 'src/engine', 'tests/commands.test.ts'],
  ]
  const extra = { SOAK: '1', ...(postgres && { POSTGRES_URL: postgres.url }) }
  process.exitCode = run('vitest', ['run', ...projects, ...files, ...process.argv.slice(2)], extra)
} finally {
  postgres?.stop()
}

await ensureBuilt()
process.exitCode ||= run('node', [...serverOptions, join('tests', 'bench', 'load', 'chaos.ts')])
process.exitCode ||= run('node', [...serverOptions, join('tests', 'bench', 'watermark.ts')])
await ensureChromium()
const looks = ['test', '-c', 'e2e/playwright.config.ts', 'accessibility.spec.ts']
process.exitCode ||= run('playwright', looks, { EVERY_LOOK: '1' })
