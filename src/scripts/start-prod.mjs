// Runs the existing build with the installed packages; installs and builds nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { follow } from './follow.mjs'
import { root, serverOptions } from './run.mjs'

const needed = { 'npm ci --omit=dev': 'node_modules/hono', 'npm run build': 'dist/index.html' }
for (const [command, path] of Object.entries(needed)) {
  if (existsSync(join(root, path))) continue
  console.error(`There is no ${path}: run ${command} first.`)
  process.exit(1)
}
process.exitCode = await follow('node', [...serverOptions, 'src/server-app/main.ts'], {
  extra: { NODE_ENV: 'production' },
})
