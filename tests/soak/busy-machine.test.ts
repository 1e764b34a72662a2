import { type ChildProcess, spawn } from 'node:child_process'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backgroundRemoval } from '#tools/background-removal/contract/definition.ts'
import { photo } from '../support/composites.ts'
import { openToolPool, runTool } from '../support/run-tool.ts'

const pool = openToolPool(2)
let others: ChildProcess[] = []
beforeAll(() => {
  others = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'while (true) Math.random()']))
})
afterAll(async () => {
  for (const other of others) other.kill('SIGKILL')
  await pool.close()
})

test('twelve generations end well while other programs take the processors', async () => {
  const inputs = { picture: [], background: [], logo: [] }
  const timeLimit = 1000 * backgroundRemoval.timeLimit({ inputs })
  const runs = Array.from({ length: 12 }, async (_, i) => {
    const picture = await sharp(photo(i % 2 ? 'coffee.jpg' : 'astronaut.jpg'))
      .modulate({ brightness: 0.9 + i / 50 })
      .toBuffer()
    return runTool(pool, 'background-removal', { inputs: { picture: [picture] }, timeLimit })
  })
  for (const { outputs } of await Promise.all(runs)) expect(outputs).toMatchObject([{ contentType: 'image/png' }])
})
