import { type ChildProcess, spawn } from 'node:child_process'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { makeClip } from '../support/clips.ts'
import { photo } from '../support/composites.ts'
import { openToolPool, runTool, type ToolTask } from '../support/run-tool.ts'

const pool = openToolPool(2)
let others: ChildProcess[] = []
beforeAll(() => {
  others = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'while (true) Math.random()']))
})
afterAll(async () => {
  for (const other of others) other.kill('SIGKILL')
  await pool.close()
})

/** Seconds of the clip. */
const seconds = 2
const stroke = { mode: 'keep', shape: 'line', size: 12, points: [60, 60, 90, 66] }

/** Of every tool that needs no provider. */
async function tasks(): Promise<Partial<Record<ToolId, ToolTask>>> {
  const [face, other, cup] = ['astronaut.jpg', 'grace_hopper.jpg', 'coffee.jpg'].map(photo) as [Buffer, Buffer, Buffer]
  const grey = await sharp(face).greyscale().toBuffer()
  const clip = await makeClip({ width: 320, height: 240, seconds })
  const picture = [face]
  return {
    'background-removal': { inputs: { picture } },
    'background-diffusion': { inputs: { picture }, params: { prompt: 'taman' } },
    headshot: { inputs: { picture } },
    cartoonizer: { inputs: { picture } },
    'face-cutout': { inputs: { picture } },
    'passport-photo': { inputs: { picture } },
    'swap-face': { inputs: { target: [other], faces: picture }, params: { consent: true } },
    enhancement: { inputs: { picture: [cup] } },
    colorizer: { inputs: { picture: [grey] } },
    'object-removal': { inputs: { picture: [cup] }, params: { strokes: [stroke] } },
    'photo-layout': { inputs: { pictures: [face, other, cup, grey] } },
    'video-background-removal': { inputs: { video: [clip.bytes] } },
  }
}

test('every tool ends well within its limit while other programs take the processors', async () => {
  const given = await tasks()
  expect(['instant-edit', ...Object.keys(given)].sort()).toEqual(Object.keys(toolContracts).sort())
  const runs = Object.entries(given).map(async ([id, task]) => {
    const info = { inputs: { video: [{ seconds }], picture: [], pictures: [], target: [], faces: [] } }
    const timeLimit = 1000 * toolContracts[id as ToolId].timeLimit(info as never)
    return [id, (await runTool(pool, id as ToolId, { ...task, timeLimit })).outputs.length]
  })
  for (const [id, made] of await Promise.all(runs)) expect(made, String(id)).toBeGreaterThan(0)
})
