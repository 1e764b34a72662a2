import { ensureBuilt, ensureChromium, ensureInstalled, run } from './ensure.mjs'

ensureInstalled()
ensureBuilt()
ensureChromium()
process.exitCode = run('playwright', ['test', '-c', 'e2e/playwright.config.ts', ...process.argv.slice(2)])
