import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sendCommand } from './control-socket.ts'

test('a command whose server ends meanwhile fails with a message', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-control-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const dying = createServer((socket) => {
    socket.once('data', () => socket.end(`${JSON.stringify({ line: 'begun' })}\n`))
  })
  await new Promise<void>((resolve) => dying.listen(join(dataDir, 'control.sock'), resolve))
  const said: string[] = []
  expect(await sendCommand(dataDir, ['storage', 'move'], (line) => said.push(line))).toBe(1)
  expect(said).toEqual(['begun', 'the server stopped before the command finished; run it again'])
  dying.close()
})
