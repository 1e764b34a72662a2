import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { emptyPicture } from '#engine/image/pixels.ts'
import { linkPictureEngine } from './internal-tools.ts'

test('a photograph is shown uncropped beside its result, and a single result is centred', async () => {
  const draw = async (before: ReturnType<typeof solidPicture>[], after = solidPicture(400, 800, '#0000ff')) => {
    const input = { params: {}, inputs: { after: [after], before }, done: {} }
    const [output] = (await linkPictureEngine.render(input, undefined, {} as EngineHost)).outputs
    if (!output || !('picture' in output)) throw new Error('no picture')
    const { width, height, data } = output.picture
    expect([width, height]).toEqual([1200, 630])
    return (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)]
  }
  const both = await draw([solidPicture(3000, 1500, '#ff0000')])
  expect([both(300, 315), both(900, 315), both(300, 60), both(600, 315)]).toEqual([
    [255, 0, 0],
    [0, 0, 255],
    [236, 231, 223],
    [236, 231, 223],
  ])
  const alone = await draw([])
  expect([alone(600, 315), alone(300, 315)]).toEqual([
    [0, 0, 255],
    [236, 231, 223],
  ])
  expect((await draw([], emptyPicture(300, 300)))(600, 315)).toEqual([255, 255, 255])
})
