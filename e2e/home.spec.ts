import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { OrderView } from '#features/billing/schemas.ts'
import { api, createAccount, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { touchOf } from './support/fingers.ts'
import { generate } from './support/generate.ts'
import type { RunningServer } from './support/server.ts'
import { violations } from './support/violations.ts'

const shots = process.env.SCREENSHOTS
const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

let server: RunningServer
test.beforeAll(({ server: running }) => {
  server = running
})

test('a member’s home shows the unpaid order, the latest results, and an input for the next photo', async ({
  page,
}) => {
  const token = await signInByApi(server, (await createAccount(server, 'Sari')).email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto(server.origin)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Halo, Sari. Foto apa hari ini?')
  await expect(page.getByText('Bayar sebelum')).toHaveCount(0)

  await generate(server, token, await readFile(portrait))
  const results = page.getByRole('region', { name: 'Hasil terakhir' }).getByRole('listitem')
  await expect(results).toHaveCount(1)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  }
  const body = JSON.stringify({ packageId: 'starter', method: 'bca', acceptPrivacy: true, acceptTerms: true })
  const placed = await fetch(`${server.origin}/api/orders`, { method: 'POST', headers, body })
  const { id, totalIdr } = (await placed.json()) as OrderView
  await page.reload()
  // Other tests on this server change prices.
  const price = totalIdr.toLocaleString('id-ID').replaceAll('.', '\\.')
  const unpaid = page.getByRole('link', { name: new RegExp(`Paket STARTER, Rp\\s*${price}`) })
  await expect(unpaid).toBeVisible()
  expect(await violations(page)).toEqual([])
  if (shots) await page.screenshot({ path: `${shots}/home-member.png`, fullPage: true })
  await unpaid.tap()
  await expect(page).toHaveURL(`${server.origin}/checkout?order=${id}`)
  await page.goBack()
  await results.getByRole('button').tap()
  await expect(page).toHaveURL(/\/history\?id=/)
  await page.goBack()
  await page.locator('main [type="file"]').first().setInputFiles(portrait)
  await expect(page).toHaveURL(/\/ai-background-removal$/)
  expect((await api<{ items: unknown[] }>(server, '/api/orders', { token })).items).toHaveLength(1)
})

test('a chosen photo and its drawings survive a reload in their tab, and are not in another tab', async ({ page }) => {
  await page.goto(`${server.origin}/ai-background-removal`)
  await page.locator('main [type="file"]').first().setInputFiles(portrait)
  const change = page.getByRole('button', { name: 'Ubah pilihannya' })
  await change.tap()
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  const area = page.getByRole('application', { name: /^Area menggambar/ })
  const { x, y, width, height } = (await area.boundingBox())!
  const fingers = await touchOf(page)
  await fingers('touchStart', { x: x + 0.4 * width, y: y + 0.5 * height })
  for (let step = 1; step <= 4; step++) {
    await fingers('touchMove', { x: x + (0.4 + 0.05 * step) * width, y: y + 0.5 * height })
  }
  await fingers('touchEnd')
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  const strokesKept = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const open = indexedDB.open('keyval-store')
          open.onsuccess = () => {
            const store = open.result.transaction('keyval').objectStore('keyval')
            const reading = store.get('draft:background-removal:unsent:settings-3')
            reading.onsuccess = () => {
              open.result.close()
              resolve(reading.result?.stage?.mask.history.strokes.length ?? 0)
            }
          }
        }),
    )
  await expect.poll(strokesKept).toBe(1)
  await page.reload()
  await change.tap()
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  const other = await page.context().newPage()
  await other.goto(`${server.origin}/ai-background-removal`)
  await expect(other.locator('main [type="file"]').first()).toBeAttached()
  await expect(other.getByRole('button', { name: 'Ganti foto' })).toHaveCount(0)
})
