import { expect } from '@playwright/test'
import { test } from './support/app.ts'

test.use({ locale: 'en-GB' })

test('an English browser starts Indonesian and is offered English once', async ({ page, server }) => {
  await page.goto(server.origin)
  await expect(page.getByRole('heading', { name: 'Sekali ketuk, latar fotomu hilang.' })).toBeVisible()
  await expect(page.getByText('Use Rupa in English?')).toBeVisible()
  await page.getByRole('button', { name: 'Tetap Indonesia' }).tap()
  await expect(page.getByText('Use Rupa in English?')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Masuk' }).first()).toBeVisible()
  await expect(page.getByText('Use Rupa in English?')).toHaveCount(0)
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByRole('button', { name: 'English', exact: true }).last().tap()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByText('Use Rupa in English?')).toHaveCount(0)
})
