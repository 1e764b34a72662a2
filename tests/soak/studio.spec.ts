import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { createAccount, signInByApi } from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import type { RunningServer } from '../../e2e/support/server.ts'

const route = '/ai-background-removal'

let server: RunningServer
test.beforeAll(({ server: running }) => {
  server = running
})

async function enter(page: Page): Promise<string> {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  return token
}

async function choose(page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles(files)
}

test('with several possible subjects, marking begins around the most likely one', async ({ page }) => {
  await enter(page)
  await page.goto(server.origin + route)
  await choose(page, join(import.meta.dirname, '../fixtures/photos/rocket.jpg'))
  await page.getByRole('button', { name: 'Tandai objeknya' }).tap()
  const box = page.getByRole('group', { name: /^Kotak objek/ })
  await expect(box).toHaveAccessibleName(/lebar \d+%, tinggi \d+%/)
  await expect(box).not.toHaveAccessibleName(/lebar 60%, tinggi 60%, dari kiri 20%, dari atas 20%/)
})
