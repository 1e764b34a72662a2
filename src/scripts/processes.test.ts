import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endProcessesOf, processesOf } from './processes.mjs'

/** Starts a process in its own group that ignores SIGTERM, and exits. */
const parent = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { detached: true, stdio: 'ignore' })
  child.unref()
`
const ignoresStop = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`

test('ends all processes of a test run, also orphans, those that left the group and those that ignore signals', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-processes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH, TMPDIR: folder }
  const gone = spawn(process.execPath, ['-e', parent, ignoresStop], { env, stdio: 'ignore' })
  await once(gone, 'exit')
  const polite = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', `${folder}/data`], { stdio: 'ignore' })
  await vi.waitFor(() => expect(processesOf(folder)).toHaveLength(2), { timeout: 300_000 })

  endProcessesOf(folder, 100)
  expect(processesOf(folder)).toEqual([])
  if (polite.exitCode === null && polite.signalCode === null) await once(polite, 'exit')
  expect(polite.signalCode).toMatch(/^SIG(TERM|KILL)$/)
})
