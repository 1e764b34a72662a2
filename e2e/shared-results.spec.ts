import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, signInByApi, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { generate } from './support/generate.ts'
import { violations } from './support/violations.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

test('a result is shared by a locked link, opened by a stranger, counted and withdrawn', async ({
  page,
  browser,
  server,
}) => {
  const { email } = await createAccount(server, 'Ratna')
  const token = await signInByApi(server, email)
  const { id } = await generate(server, token, await readFile(portrait), { name: 'ratna.jpg' })
  const state = async () => (await api<GenerationView>(server, `/api/generations/${id}`, { token })).status
  await expect.poll(state).toBe('succeeded')
  await signInOnDevice(page, server, email)
  await page.goto('/history')
  await page.getByRole('list', { name: 'Hasil' }).getByRole('button').tap()
  await page.getByRole('button', { name: 'Pilihan lain' }).tap()
  await page.getByRole('button', { name: 'Bagikan lewat tautan' }).tap()
  await page.getByRole('switch', { name: /Sertakan foto asli/ }).tap()
  await page.getByRole('switch', { name: /Kunci dengan kata sandi/ }).tap()
  await page.getByRole('button', { name: 'Buat tautan' }).tap()
  await expect(page.getByText('Pakai 6 karakter atau lebih.')).toBeVisible()
  await page.getByLabel('Kata sandi tautan', { exact: true }).fill('pantai-biru')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Buat tautan' }).tap()
  const address = await page.getByLabel('Tautan', { exact: true }).inputValue()

  const { viewport, hasTouch } = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const context = await browser.newContext({ viewport, hasTouch, isMobile: true })
  const stranger = await context.newPage()
  await stranger.goto(`${address}?lang=en`)
  await stranger.getByLabel('Link password', { exact: true }).fill('salah-sekali')
  await stranger.getByRole('button', { name: 'Open', exact: true }).tap()
  await expect(stranger.getByText('That’s the wrong password.')).toBeVisible()
  expect(await violations(stranger)).toEqual([])
  await stranger.getByLabel('Link password', { exact: true }).fill('pantai-biru')
  await stranger.getByRole('button', { name: 'Open', exact: true }).tap()
  const pictures = stranger.locator('.compare img')
  await expect(pictures).toHaveCount(2)
  for (const picture of await pictures.all()) {
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  }
  await expect(stranger.getByRole('slider')).toBeVisible()
  expect(await violations(stranger)).toEqual([])
  expect(await stranger.content()).not.toMatch(/ratna/i)
  const own = stranger.getByRole('link', { name: 'Make your own' })
  await stranger.setViewportSize({ width: 360, height: 640 })
  const bar = stranger.getByRole('navigation').last()
  const bottom = async () => {
    const button = (await own.boundingBox())!
    return button.y + button.height - (await bar.boundingBox())!.y
  }
  await expect.poll(bottom).toBeLessThanOrEqual(0)
  await own.tap()
  await expect(stranger).toHaveURL(`${server.origin}/ai-background-removal`)

  await page.getByRole('link', { name: 'Semua tautanmu ada di Akun.' }).tap()
  const links = page.locator('#shared')
  await expect(links).toContainText('Dibuka 1 kali')
  await links.getByRole('button', { name: /^Cabut tautan/ }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Cabut tautan' }).tap()
  await expect(links).toContainText('Belum ada.')
  await stranger.goto(address)
  await expect(stranger.getByRole('heading', { name: "This link doesn't work" })).toBeVisible()
  expect(await violations(stranger)).toEqual([])
  await context.close()
})
