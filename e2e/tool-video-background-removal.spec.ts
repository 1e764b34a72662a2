import { expect } from '@playwright/test'
import { makeClip } from '../tests/support/clips.ts'
import { test } from './support/app.ts'
import { chooseFiles, openTool } from './support/tool.ts'

test.describe.configure({ timeout: 240_000 })

test('a video is quoted before anything is sent, runs, and plays with nothing behind the person', async ({
  page,
  server,
}) => {
  await openTool(page, server, '/ai-video-background-removal')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/uploads')) sent.push(request.method())
  })
  const clip = await makeClip({ width: 240, height: 320, seconds: 1.2, frameRate: 10 })
  await chooseFiles(
    page,
    { name: 'liburan.mp4', mimeType: 'video/mp4', buffer: Buffer.from(clip.bytes) },
    'Pilih video',
  )

  const start = page.getByRole('button', { name: /^Hapus latar video/ })
  await expect(start).toHaveText(/15 kredit/)
  expect(sent).toEqual([])
  await page.screenshot({ path: test.info().outputPath('before.png') })
  await start.tap()

  const result = page.locator('video[aria-label="Hasil edit"]')
  await expect(result).toBeVisible({ timeout: 120_000 })
  expect(sent).toContain('POST')
  await page.screenshot({ path: test.info().outputPath('after.png') })

  const seen = await result.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true
    await video.play()
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    const context = canvas.getContext('2d')
    context?.drawImage(video, 0, 0)
    const alphaAt = (x: number, y: number) => context?.getImageData(x, y, 1, 1).data[3] ?? -1
    return { size: [canvas.width, canvas.height], corner: alphaAt(3, 3), chest: alphaAt(120, 290) }
  })
  expect(seen.size).toEqual([240, 320])
  expect(seen.corner).toBeLessThan(8)
  expect(seen.chest).toBeGreaterThan(240)
})
