import { expect, type Locator } from '@playwright/test'
import { makeClip } from '../tests/support/clips.ts'
import { test } from './support/app.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { chooseFiles, openTool } from './support/tool.ts'

test('a video is priced before anything is sent, tried for free, plays without its background, and gets a colour for free', async ({
  page,
  server,
}) => {
  await openTool(page, server, '/ai-video-background-removal')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/uploads')) sent.push(request.method())
  })
  const clip = await makeClip({ width: 240, height: 320, seconds: 0.6, frameRate: 10 })
  await chooseFiles(
    page,
    { name: 'liburan.mp4', mimeType: 'video/mp4', buffer: Buffer.from(clip.bytes) },
    'Pilih video',
  )

  await followPicture(page)
  const start = page.getByRole('button', { name: /^Hapus latar video/ })
  await expect(start).toHaveText(/15 kredit/)
  expect(sent).toEqual([])

  // The whole video need not be chosen again.
  const result = page.locator('video[aria-label="Hasil edit"]')
  await page.getByRole('button', { name: 'Pratinjau', exact: true }).tap()
  await page.getByRole('switch').tap()
  await expect(start).toHaveText(/gratis/)
  await expect(page.getByText('Saldomu tetap 25 kredit.')).toBeVisible()
  await start.tap()
  await expect(result).toBeVisible()
  await page.getByRole('button', { name: 'Proses seluruh video' }).tap()
  await expect(start).toHaveText(/15 kredit/)
  await start.tap()

  await expect(page.getByRole('heading', { name: 'Video berhasil dibuat' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Proses seluruh video' })).toBeHidden()
  await expect(result).toBeVisible()
  expect(sent).toContain('POST')

  // The most compatible format comes first; the transparent one names its limits.
  await expect(page.getByRole('button', { name: 'Unduh MP4' })).toBeVisible()
  const white = await result.getAttribute('src')
  await page.getByRole('button', { name: 'Transparan' }).tap()
  const where = page.getByText('WhatsApp dan Instagram tidak bisa memutarnya.')
  await expect(where).toBeInViewport({ ratio: 1 })
  // Small phones would not show it below the choices.
  const choice = await page.getByRole('button', { name: 'Transparan' }).boundingBox()
  expect((await where.boundingBox())!.y).toBeLessThan(choice!.y)
  await expect(result).not.toHaveAttribute('src', white as string)
  const webm = await played(result)
  expect(webm.size).toEqual([240, 320])
  expect(webm.corner[3]).toBeLessThan(8)
  expect(webm.chest[3]).toBeGreaterThan(240)

  const address = await result.getAttribute('src')
  await page.getByRole('button', { name: 'Biru' }).tap()
  await expect(page.getByText('Memasang latar baru, gratis…')).toBeVisible()
  await expect(result).not.toHaveAttribute('src', address as string)
  await expect(page.getByRole('button', { name: 'Unduh MP4' })).toBeVisible()
  const mp4 = await played(result)
  // #0090ff within H.264's accuracy.
  for (const [channel, value] of [0, 144, 255].entries())
    expect(Math.abs(mp4.corner[channel]! - value)).toBeLessThan(12)
  await expectPictureStill(page)

  // Both sides show the same moment.
  await page.getByRole('button', { name: 'Bandingkan', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Selesai membandingkan' })).toBeFocused()
  await expect(page.getByRole('slider', { name: 'Bandingkan sebelum dan sesudah' })).toBeVisible()
  const before = page.locator('video[aria-label="Video sebelum diedit"]')
  await expect.poll(() => before.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2)
  const distance = async () => {
    const moments = await page
      .locator('video')
      .evaluateAll((videos) => videos.map((video) => (video as HTMLVideoElement).currentTime))
    return Math.abs(moments[0]! - moments[1]!)
  }
  await expect.poll(distance).toBeLessThan(0.2)
  await page.getByRole('button', { name: 'Selesai membandingkan' }).tap()
  await expect(before).toBeHidden()
})

/** Reads two pixels of a frame as RGBA. */
function played(result: Locator) {
  return result.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true
    await video.play()
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    const context = canvas.getContext('2d')
    context?.drawImage(video, 0, 0)
    const pixel = (x: number, y: number) => [...(context?.getImageData(x, y, 1, 1).data ?? [])]
    return { size: [canvas.width, canvas.height], corner: pixel(3, 3), chest: pixel(120, 290) }
  })
}
