import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { createAccount, haveSignedIn, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { generate } from './support/generate.ts'
import { photo } from './support/send-photo.ts'
import { violations } from './support/violations.ts'

const android = 'Mozilla/5.0 (Linux; Android 14; SM-A155F; wv) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36'
test.use({ userAgent: `${android} Instagram 360.0.0.52.192 Android` })

test('in the browser of Instagram the same page is offered in Chrome once, and a result that was saved', async ({
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
  await haveSignedIn(page, server, email)
  await page.goto(`/history?id=${id}`)
  await page.getByRole('button', { name: 'Unduh PNG' }).tap()
  await expect(sheet.getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^intent://${host}/history\\?id=${id}#Intent;`),
  )
})
