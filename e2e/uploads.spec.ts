import { randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import { createAccount } from './support/account.ts'
import { test } from './support/app.ts'
import { badNetwork } from './support/proxy.ts'
import { balanceOf, generationsOf, openStudio, photo, submitPhoto } from './support/send-photo.ts'

test.use({ serviceWorkers: 'allow' })

test('a picture whose upload is cut five times resumes each time, and arrives once', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  const network = await badNetwork(server.port)
  const { email } = await createAccount(server, 'Yuni')
  await openStudio(page, network, email)
  // Noise stays large in every encoding.
  const raw = { width: 1200, height: 1200, channels: 3 } as const
  const large = await sharp(randomBytes(1200 * 1200 * 3), { raw })
    .composite([{ input: await sharp(photo).resize(900, 1100, { fit: 'fill' }).toBuffer(), gravity: 'south' }])
    .jpeg({ quality: 95 })
    .toBuffer()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/uploads')) sent += 1
  })
  network.cutUploads(150_000, 5)
  await submitPhoto(page, { name: 'besar.jpg', mimeType: 'image/jpeg', buffer: large })
  const statuses = async () => (await generationsOf(server, email)).map(({ status }) => status)
  await expect.poll(statuses).toEqual(['succeeded'])
  expect(network.cuts()).toBe(5)
  // At most the free check, which ends with the tap, and the generation.
  expect(sent).toBeLessThanOrEqual(2)
  expect(await balanceOf(server, email)).toBe(20)
  await network.close()
})
