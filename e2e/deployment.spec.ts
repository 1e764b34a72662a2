import { expect, type Page } from '@playwright/test'
import { createAccount } from './support/account.ts'
import { test } from './support/app.ts'
import { badNetwork } from './support/proxy.ts'
import { balanceOf, generationsOf, openStudio, photo, studio, submitPhoto } from './support/send-photo.ts'

test.use({ serverPreviews: false })

/** Titles of error pages that the page has shown, also for a moment. */
async function watchErrorPages(page: Page): Promise<string[]> {
  const seen: string[] = []
  await page.exposeFunction('noteErrorPage', (title: string) => seen.push(title))
  await page.addInitScript(() => {
    const look = () => {
      const alert = document.querySelector('[role="alert"] h1')
      if (alert) (window as never as { noteErrorPage: (title: string) => void }).noteErrorPage(alert.textContent)
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  return seen
}

test('a tab from before a deployment opens the page of a lost part, keeps its photo and shows no error', async ({
  page,
}) => {
  const errors = await watchErrorPages(page)
  await page.goto(studio)
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(photo)
  await expect(page.getByRole('img', { name: 'Fotomu' }).or(page.locator('.studio-layout')).first()).toBeVisible()
  // The server has the files of the new build alone, which the next document names.
  let isOld = true
  let lost = 0
  await page.route('**/assets/**', (route) => {
    if (!isOld) return route.continue()
    lost += 1
    return route.fulfill({ status: 404, json: { code: 'not_found', msg: 'missing' } })
  })
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false
  })
  await page.evaluate(() => history.pushState(null, '', '/how-to-use'))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Cara pakai')
  expect(lost).toBeGreaterThan(0)
  await page.goto(studio)
  await expect(page.locator('.studio-layout')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pilih foto' })).toHaveCount(0)
  expect(errors).toEqual([])
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('three updates in a row during an upload lose nothing: it arrives once, and is charged once', async ({
    page,
    server,
  }) => {
    const network = await badNetwork(server.port)
    const errors = await watchErrorPages(page)
    const { email } = await createAccount(server, 'Ayu')
    await openStudio(page, network, email)
    // Every attempt breaks off until the updates are done.
    network.cutUploads(1, Number.POSITIVE_INFINITY)
    await submitPhoto(page)
    // The photo check's upload is cut as well, before this one is in the queue.
    await expect(page.getByRole('button', { name: /^Unggahan: 1/ })).toBeVisible()
    await expect.poll(network.cuts).toBeGreaterThan(0)
    await page.goto(`${network.origin}/history`)
    for (const update of [1, 2, 3]) {
      network.deployNewWorker()
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
      await page.evaluate((name) => Object.assign(document.body.dataset, { old: name }), String(update))
      const cuts = network.cuts()
      await page.getByRole('button', { name: 'Perbarui' }).tap()
      await expect(page.locator('body[data-old]')).toHaveCount(0)
      await expect(page.getByRole('button', { name: /^Unggahan: 1/ })).toBeVisible()
      await expect.poll(network.cuts).toBeGreaterThan(cuts)
    }
    expect(await generationsOf(server, email)).toEqual([])
    network.cutUploads(0, 0)
    await page.reload()
    await expect
      .poll(async () => (await generationsOf(server, email)).map(({ status }) => status))
      .toEqual(['succeeded'])
    expect(await balanceOf(server, email)).toBe(20)
    expect(errors).toEqual([])
    await network.close()
  })
})
