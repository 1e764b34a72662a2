import { ensureBuilt, ensureChromium, ensureInstalled } from './ensure.mjs'
import { runVerbose } from './run.mjs'
import { enterTemporaryFolder } from './temporary.mjs'

const { signal } = enterTemporaryFolder()
ensureInstalled()
await ensureBuilt()
await ensureChromium()
const args = ['test', '-c', 'e2e/playwright.config.ts', ...process.argv.slice(2)]
process.exitCode ||= (await runVerbose('playwright', args, { signal })).code
