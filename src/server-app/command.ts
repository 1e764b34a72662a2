import { resolve } from 'node:path'
import { ConfigError } from '#server/config-values.ts'
import { sendCommand } from '#server/control/control-socket.ts'
import { DataDirInUse } from '#server/db/data-dir-lock.ts'
import { createLog } from '#server/log.ts'
import { readConfig } from './config.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Uses the running process; without one, or with PostgreSQL, runs the command here. */
async function perform(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === 'restore') {
    const { restore } = await import('./restore.ts')
    await restore(process.env, rest, say)
    return 0
  }
  // The running process has another working directory than the operator's shell.
  if (name === 'scenes' && rest[0] === 'add' && rest[1]) {
    args[2] = resolve(process.env.INIT_CWD ?? process.cwd(), rest[1])
  }
  const config = readConfig(process.env)
  const answered = config.databaseUrl ? undefined : await sendCommand(config.dataDir, args, say)
  if (answered !== undefined) return answered
  const { compose } = await import('./compose.ts')
  const composition = await compose({ ...config, role: 'web' }, createLog('warn'))
  try {
    return await composition.runCommand(args, say)
  } finally {
    await composition.stop()
  }
}

try {
  process.exit(await perform(process.argv.slice(2)))
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DataDirInUse
  process.stderr.write(`${error instanceof Error && (known || error.message) ? error.message : String(error)}\n`)
  process.exit(1)
}
