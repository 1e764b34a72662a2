import { expect, type Page } from '@playwright/test'
import { type ConsentKind, consentVersions } from '#shared/consent.ts'
import { toolContracts } from '#tools/contracts.ts'
import { api, createAccount, navigateInApp, signInByApi } from './account.ts'
import type { RunningServer } from './server.ts'

type Files = Parameters<Page['setInputFiles']>[1]

/** Returns the token of a new user who opened a tool's page. */
export async function openTool(
  page: Page,
  server: RunningServer,
  route: string,
  consent?: ConsentKind,
): Promise<string> {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  if (consent) {
    await api(server, '/api/user/consents', { token, json: { kind: consent, version: consentVersions[consent] } })
  }
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto(server.origin + route)
  return token
}

export async function chooseFiles(page: Page, files: Files, button = 'Pilih foto'): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).last().tap(),
  ])
  await chooser.setFiles(files as Parameters<typeof chooser.setFiles>[0])
}

export async function agreeToFaces(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Lihat posisi kepala · gratis' }).tap()
  await page.getByRole('button', { name: 'Saya setuju' }).tap()
  // The button disappears; keyboard focus is on the title.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
}

/** Inputs of every tool that works on pictures. */
export const pictureTools = Object.values(toolContracts).flatMap(({ route, inputs }) => {
  const specs = Object.values<{ kind: string; min: number }>(inputs)
  const isVideo = specs.some(({ kind }) => kind === 'video')
  return isVideo ? [] : [{ route, pictures: specs.reduce((sum, { min }) => sum + min, 0) }]
})

/** As many copies of a picture as the tool needs. */
export async function choosePictures(
  page: Page,
  { route, pictures }: (typeof pictureTools)[number],
  picture: string,
): Promise<void> {
  await navigateInApp(page, route)
  const picker = page.locator('main input[type=file][id][multiple], main input[type=file][id]').first()
  await picker.setInputFiles(Array(pictures).fill(picture))
  await page.locator('.studio-layout').waitFor()
}
