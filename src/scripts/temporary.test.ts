import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { processesOf } from './processes.mjs'

/** Starts a process that outlives its parent, as PostgreSQL does, and waits for the end. */
const script = `
  import { spawn } from 'node:child_process'
  import { enterTemporaryFolder } from ${JSON.stringify(join(import.meta.dirname, 'temporary.mjs'))}
  const { folder, signal } = enterTemporaryFolder()
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', folder], { detached: true, stdio: 'ignore' }).unref()
  const waiting = setInterval(() => {}, 1000)
  signal.addEventListener('abort', () => clearInterval(waiting))
  console.log(folder)
`

test.each(['SIGINT', 'SIGTERM'] as const)('%s leaves no process and no file of a command behind', async (name) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [folder] = (await once(createInterface(child.stdout), 'line')) as [string]
  expect(processesOf(folder)).not.toEqual([])
  child.kill(name)
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(processesOf(folder)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})
