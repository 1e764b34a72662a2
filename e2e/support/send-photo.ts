import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, signInByApi, signInOnDevice } from './account.ts'
import type { RunningServer } from './server.ts'

export const photo = join(import.meta.dirname, '..', 'fixtures', 'portrait.jpg')
export const studio = '/ai-background-removal'

/** Everything is on the device for offline use. */
export async function openStudio(page: Page, { origin }: Pick<RunningServer, 'origin'>, email: string): Promise<void> {
  await signInOnDevice(page, { origin }, email)
  await page.goto(`${origin}${studio}`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await expect(page.getByRole('button', { name: /^(Pilih foto|Choose a photo)$/ })).toBeVisible()
}

/** Chooses the photo or another file, and taps the start button. */
export async function submitPhoto(page: Page, file: Parameters<Page['setInputFiles']>[1] = photo): Promise<void> {
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(file)
  await page.getByRole('button', { name: /5 (kredit|credits)/ }).tap()
}

export async function generationsOf(server: Pick<RunningServer, 'origin'>, email: string): Promise<GenerationView[]> {
  const token = await signInByApi(server, email)
  return (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items
}

export async function balanceOf(server: Pick<RunningServer, 'origin'>, email: string): Promise<number> {
  const token = await signInByApi(server, email)
  return (await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits
}
