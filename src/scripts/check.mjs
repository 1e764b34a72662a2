// Checks that are quick enough for every commit.
import { ensureInstalled } from './ensure.mjs'
import { runQuietly } from './run.mjs'
import { staticChecks } from './static-checks.mjs'

ensureInstalled()
const structure = {
  name: 'structure',
  command: 'vitest',
  args: ['run', '--project', 'unit', 'tests', '--reporter=dot'],
}
const results = await Promise.all(
  [...staticChecks, structure].map(async (check) => {
    const { command, args, extra } = check
    return { check, ...(await runQuietly(command, args, { extra })) }
  }),
)
for (const { check, code, output } of results) {
  console.log(`${code === 0 ? '✓' : '✗'} ${check.name}`)
  if (code !== 0) console.log(output)
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
