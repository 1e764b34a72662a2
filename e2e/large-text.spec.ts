import { expect, type Page } from '@playwright/test'
import type { OrderView } from '#features/billing/contract.ts'
import { createAccount, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { beyondTheSides } from './support/layout.ts'

const forVisitors = ['/', '/login', '/register', '/forgot-password', '/pricing', '/how-to-use', '/terms-of-service']
const forMembers = ['/', '/checkout', '/billing', '/history', '/profile']

async function expectNothingBeyondTheSides(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    expect.soft(await beyondTheSides(page), path).toEqual([])
  }
}

for (const { name, width, percent } of [
  { name: 'a screen of 320 pixels', width: 320, percent: 100 },
  { name: 'text twice as large', width: 390, percent: 200 },
]) {
  test(`with ${name} nothing reaches beyond the sides of the screen`, async ({ page, server }) => {
    test.setTimeout(180_000)
    await page.setViewportSize({ width, height: 720 })
    await page.addInitScript((size) => {
      document.addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = `${size}%`
      })
    }, percent)
    await expectNothingBeyondTheSides(page, forVisitors)

    const token = await signInByApi(server, (await createAccount(server, 'Sari')).email)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    }
    const body = JSON.stringify({ packageId: 'basic', method: 'bca', acceptPrivacy: true, acceptTerms: true })
    const placed = await fetch(`${server.origin}/api/orders`, { method: 'POST', headers, body })
    const { id } = (await placed.json()) as OrderView
    await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
    await expectNothingBeyondTheSides(page, [
      ...forMembers,
      `/checkout?order=${id}`,
      `/payment-success?order=${id}`,
      `/payment-failed?order=${id}`,
    ])
  })
}
