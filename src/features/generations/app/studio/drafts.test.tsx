import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { address, navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import { pictureFile, sari, tokenOf, usualRoutes } from '#tests/support/components/samples.ts'
import { button, choose, fileField, heading, replaceBy } from '#tests/support/components/screen.ts'
import { backgroundRemoval } from '#tools/background-removal/contract/definition.ts'
import { holdDraft, saveDraft, takeDraft, unsentDraftKey } from '../draft.ts'
import { findUnsentDraft } from './continue-offer.tsx'

const studio = '/ai-background-removal'
const start = button(/^Hapus latar/)
const change = button('Ganti foto')
const restore = button('Kembalikan')
const chosen = page.getByRole('img', { name: 'Foto yang kamu pilih' })
const preview = page.getByRole('img', { name: 'Pratinjau hasil' })
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())

const first = () => pictureFile(512, 600, 'satu.png', '#a86f4b')
const second = () => pictureFile(480, 640, 'dua.png', '#4b6fa8')

it('has a visitor’s photo once after signing in on the way, at the price of one', async () => {
  await openApp('/', {
    api: {
      ...usualRoutes(sari, 25),
      ...new GenerationServer().routes,
      'POST /api/login': { access_token: tokenOf(sari) },
    },
  })
  await choose(await first())
  await button('Sudah punya akun? Masuk').click()
  await page.getByLabelText('Email').fill(sari.email)
  await page.getByLabelText('Kata sandi', { exact: true }).fill('Rahasia-123!')
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expect.poll(address).toBe(studio)
  await expect.element(start).toMatchTextContent(/^Hapus latar · 5 kredit/)
  await expect.element(chosen).toHaveLength(1)
  await expect.element(restore).not.toBeInTheDocument()
})

it('replaces a photo by another one chosen at home; the first can be restored or added', async () => {
  const app = await openApp('/')
  await choose(await first())
  await expect.element(change).toBeVisible()
  await page.getByRole('link', { name: 'Ke beranda' }).click()
  await choose(await second())
  await text('Foto sebelumnya masih ada').toBeVisible()
  // Also where the page with the first photo was left by a full load.
  await app.reload('/')
  await choose(await first())
  await text('Foto sebelumnya masih ada').toBeVisible()
  await app.reload()
  await expect.element(change).toBeVisible()
  await page.getByRole('link', { name: 'Ke beranda' }).click()
  await choose(await second())
  await text('Foto sebelumnya masih ada').toBeVisible()
  const source = () => preview.query()?.getAttribute('src')
  await expect.element(preview).toBeVisible()
  const before = source()
  await restore.click()
  await expect.poll(source).not.toBe(before)
  await button('Pakai semuanya').click()
  await expect.element(start).toMatchTextContent(/^Hapus latar 2 foto ·/)
  await expect.element(restore).not.toBeInTheDocument()
})

it('opens the chooser to change the photo, keeps it when none is chosen, and can undo', async () => {
  await openApp('/')
  await choose(await first())
  await expect.element(preview).toBeVisible()
  const source = () => preview.query()?.getAttribute('src')
  const before = source()
  await replaceBy(change)
  expect(source()).toBe(before)
  await replaceBy(change, await second())
  await expect.poll(source).not.toBe(before)
  await expect.element(restore).toBeVisible()
})

it('shows a result opened by its address although a photo waits, which is there afterwards', async () => {
  const server = new GenerationServer()
  const app = await openApp('/', { user: sari, api: server.routes })
  await choose(await first())
  await start.click()
  await replaceBy(button('Foto lain'), await second())
  await expect.element(change).toBeVisible()
  await app.reload(`${studio}?result=${server.generations[0]?.id}`)
  await expect.element(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await expect.element(change).not.toBeInTheDocument()
  navigateInApp(studio)
  await expect.element(change).toBeVisible()
})

/** As a killed app leaves it: on the device, but not in this tab. */
async function leaveUnsent(owner: string | null, at = Date.now() - 5 * 60_000): Promise<void> {
  const settings = { params: { ...backgroundRemoval.defaults, format: 'webp' }, stage: null, stages: {}, shrink: true }
  const draft = { tool: unsentDraftKey('background-removal'), files: [{ file: await first(), id: 'a' }], settings }
  await saveDraft(draft)
  localStorage.setItem('draft:background-removal', JSON.stringify({ at, owner }))
}
const offer = page.getByRole('region', { name: 'Lanjutkan dengan fotomu?' })

it('offers photo and options of a killed app in a fresh tab, at the tool and at home', async () => {
  await openApp('/pricing', { user: sari })
  await leaveUnsent(sari.id)
  navigateInApp(studio)
  await expect.element(offer).toMatchTextContent('Hapus Latar, 5 menit yang lalu')
  navigateInApp('/')
  await offer.getByRole('button', { name: 'Lanjutkan' }).click()
  await expect.poll(address).toBe(studio)
  await expect.element(chosen).toBeVisible()
  await expect.element(offer).not.toBeInTheDocument()
  const kept = async () => (await takeDraft(unsentDraftKey('background-removal'), true))?.settings
  await expect.poll(kept).toMatchObject({ params: { format: 'webp' } })
})

it('offers a killed app’s photo neither to another user nor after a week, and deletes it on request', async () => {
  await openApp('/pricing', { user: sari })
  await leaveUnsent('u-budi')
  navigateInApp(studio)
  await expect.element(button('Pilih foto')).toBeVisible()
  navigateInApp('/pricing')
  await leaveUnsent(sari.id, Date.now() - 8 * 86_400_000)
  navigateInApp(studio)
  await expect.element(button('Pilih foto')).toBeVisible()
  expect(await findUnsentDraft('background-removal')).toBeNull()
  await expect.element(offer).not.toBeInTheDocument()
  navigateInApp('/pricing')
  await leaveUnsent(null)
  navigateInApp(studio)
  await offer.getByRole('button', { name: 'Buang' }).click()
  await expect.element(offer).not.toBeInTheDocument()
  await expect.poll(() => takeDraft(unsentDraftKey('background-removal'))).toBeNull()
})

it('does not offer a photo that another open tab is working on', async () => {
  await openApp('/pricing', { user: sari })
  await leaveUnsent(sari.id)
  const release = holdDraft('background-removal')
  await expect.poll(() => findUnsentDraft('background-removal')).toBeNull()
  release()
  await expect.poll(() => findUnsentDraft('background-removal')).not.toBeNull()
})

it('takes a photo dropped on the home page to the studio', async () => {
  await openApp('/')
  const dropped = await carrying(await first())
  const zone = page.getByRole('region', { name: 'Pilih foto' }).element()
  drop('dragenter', dropped, zone)
  drop('dragover', dropped, zone)
  await expect.poll(() => document.querySelector('.drop-zone[data-over]')).not.toBeNull()
  drop('drop', dropped, zone)
  await expect.poll(address).toBe(studio)
  await expect.element(chosen).toBeVisible()
})

it('says that nothing arrived of a share before the service worker, and takes the files chosen then', async () => {
  await openApp('/open-with?shared=0')
  await expect
    .element(page.getByText('Tidak ada berkas yang sampai dari yang kamu bagikan. Pilih lagi di sini, ya.'))
    .toBeVisible()
  await userEvent.upload(fileField(), await pictureFile(64, 64))
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Mau diapakan fotonya?')
})

it('shows a drop target while a photo is dragged over the studio, and takes it anywhere', async () => {
  await openApp(studio)
  await expect.element(button('Pilih foto')).toBeVisible()
  const over = () => document.querySelector('.drop-zone[data-over]')
  const dropped = await carrying(await first())
  drop('dragenter', dropped)
  await expect.poll(over).not.toBeNull()
  drop('dragleave', dropped)
  await expect.poll(over).toBeNull()
  drop('dragenter', dropped)
  // The browser would have opened the file instead of the app.
  expect(drop('dragover', dropped)).toBe(false)
  expect(drop('drop', dropped)).toBe(false)
  await expect.element(chosen).toBeVisible()
  expect(address()).toBe(studio)
})

it('takes a copied picture from the clipboard, pasted or by a button', async () => {
  await openApp(studio)
  await expect.element(button('Pilih foto')).toBeVisible()
  const clipboardData = await carrying(await first())
  window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
  await expect.element(chosen).toBeVisible()

  const copied = new ClipboardItem({ 'image/png': new Blob([await first()], { type: 'image/png' }) })
  vi.spyOn(navigator.clipboard, 'read').mockResolvedValue([copied])
  navigateInApp('/open-with')
  await button('Tempel foto').click()
  await expect.element(heading).toHaveTextContent('Mau diapakan fotonya?')
})

async function carrying(file: File): Promise<DataTransfer> {
  const data = new DataTransfer()
  data.items.add(file)
  return data
}

/** Sends a drag event; false if the app keeps the browser from its own reaction. */
function drop(type: string, dataTransfer: DataTransfer, over: Element = document.body): boolean {
  return over.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
}
