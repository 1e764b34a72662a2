import { expect } from '@playwright/test'
import { navigateInApp } from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import { expectSentAsRendered } from '../../e2e/support/first-screens.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a page that fails to load is retried, and after a while an error is shown', async ({ page }) => {
  const lost = /assets\/not-found-page-/
  await page.goto('/')
  const failed = page.getByRole('heading', { name: 'Halaman ini belum bisa dibuka' })
  const heading = page.getByRole('heading', { level: 1, name: 'Halaman tidak ditemukan' })
  // The first failure reloads the page once, since its build might be gone.
  let losses = 0
  await page.route(lost, async (route) => {
    losses += 1
    await (losses > 3 ? route.continue() : route.abort())
  })
  await navigateInApp(page, '/tidak-ada')
  await expect(heading.or(failed)).toBeVisible()
  await expect(failed).toBeHidden()
  expect(losses).toBeGreaterThan(3)

  losses = Number.NEGATIVE_INFINITY
  await page.goto('/')
  await navigateInApp(page, '/tidak-ada')
  await expect(failed).toBeVisible()
  losses = 4
  await expect(heading).toBeVisible()
})

test('pages that visitors rarely begin with are sent with their first screen, and nothing moves or flickers then', async ({
  page,
}) => {
  await expectSentAsRendered(page, [
    '/ai-cartoonizer',
    '/how-to-use',
    '/register',
    '/forgot-password',
    '/privacy-policy',
    '/customize-edit',
  ])
})
