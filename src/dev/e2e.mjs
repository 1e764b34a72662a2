import { ensureBuilt, ensureChromium, ensureInstalled } from './ensure.mjs'
import { run } from './run.mjs'

ensureInstalled()
await ensureBuilt()
await ensureChromium()
process.exitCode = run('playwright', ['test', '-c', 'e2e/playwright.config.ts', ...process.argv.slice(2)])
