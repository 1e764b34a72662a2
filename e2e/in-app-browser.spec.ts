import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { createAccount, password, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { generate } from './support/generate.ts'
import { photo } from './support/send-photo.ts'
import { violations } from './support/violations.ts'

const android = 'Mozilla/5.0 (Linux; Android 14; SM-A155F; wv) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36'
test.use({ userAgent: `${android} Instagram 360.0.0.52.192 Android` })

test('in Instagram’s browser the same page is offered in Chrome once, and a user signs in and saves a result', async ({
  page,
  server,
}) => {
  await page.goto('/ai-enhancement')
  const sheet = page.getByRole('dialog', { name: 'Lanjut di Chrome?' })
  const { host } = new URL(server.origin)
  await expect(sheet.getByRole('link', { name: 'Buka di Chrome' })).toHaveAttribute(
    'href',
    new RegExp(`^intent://${host}/ai-enhancement#Intent;.*package=com.android.chrome`),
  )
  expect(await violations(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Tetap di sini' }).tap()
  await expect(sheet).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(sheet).toHaveCount(0)

  const { email } = await createAccount(server, 'Tuti')
  const { id } = await generate(server, await signInByApi(server, email), await readFile(photo))
  await page.goto(`/history?id=${id}`)
  await page.getByRole('main').getByRole('link', { name: 'Masuk' }).tap()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Kata sandi', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
  await expect(page).toHaveURL(`/history?id=${id}`)
  await page.getByRole('button', { name: 'Unduh PNG' }).tap()
  await expect(sheet.getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^intent://${host}/history\\?id=${id}#Intent;`),
  )
})

async function choosePhoto(page: Page): Promise<void> {
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(photo)
  await page.getByRole('button', { name: 'Ubah pilihannya' }).click()
}

test('the link to Chrome carries the tool’s options, and the photo is chosen again there', async ({
  page,
  browser,
  server,
}) => {
  await page.goto('/ai-enhancement')
  await page.getByRole('button', { name: 'Tetap di sini' }).tap()
  await choosePhoto(page)
  await page.getByText('4×', { exact: true }).tap()
  await expect(page).toHaveURL('/ai-enhancement?options=%7B%22scale%22%3A4%7D')
  await page.getByRole('button', { name: 'Perjelas foto' }).tap()
  await page.getByRole('button', { name: 'Daftar gratis' }).tap()
  const way = page.getByRole('link', { name: 'Buka di Chrome' })
  const out = new RegExp(`^intent://${new URL(server.origin).host}(/ai-enhancement.*?)#Intent;`)
  const [, address = ''] = out.exec((await way.getAttribute('href')) ?? '') ?? []

  for (const [options, scale] of [
    [address, '4×'],
    ['/ai-enhancement?options={"scale":3,"format":"exe"}', '2×'],
  ] as const) {
    const chrome = await browser.newPage({ userAgent: android.replace('; wv', '') })
    await chrome.goto(server.origin + options)
    await expect(chrome).toHaveURL(`${server.origin}/ai-enhancement`)
    await choosePhoto(chrome)
    await expect(chrome.getByRole('radio', { name: scale })).toBeChecked()
    await chrome.close()
  }
})
