import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { sari } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import { showSnackbar } from './snackbar.tsx'

it('leaves a dialog uncovered by messages, on phones, on their side and on desktops', async () => {
  const text = 'Tidak ada internet. Periksa koneksimu, lalu coba lagi beberapa saat lagi, ya. '.repeat(3)
  await openApp('/history', { user: sari, api: new GenerationServer().routes })
  await button('Alat').click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  const edges = () => {
    const [toast, box] = ['.toast > .alert', '.modal-box'].map((part) =>
      document.querySelector(`dialog[open] ${part}`)?.getBoundingClientRect(),
    )
    return toast && box ? toast.bottom <= box.top && box.bottom <= innerHeight + 1 : null
  }
  for (const [width, height] of [
    [390, 844],
    [360, 640],
    [844, 390],
    [1440, 900],
  ] as const) {
    await page.viewport(width, height)
    showSnackbar('error', text)
    await expect.poll(edges, { message: `${width} × ${height}` }).toBe(true)
  }
})

it('keeps title and close button in view while its content scrolls', async () => {
  await openApp('/history', { user: sari, size: [360, 640], api: new GenerationServer().routes })
  await button('Alat').click()
  const box = page.getByRole('dialog')
  const help = box.getByRole('link', { name: /^Cara pakai/ })
  help.element().scrollIntoView()
  await expect.element(help).toBeInViewport({ ratio: 1 })
  await expect.element(box.getByRole('heading', { name: 'Alat' })).toBeInViewport({ ratio: 1 })
  await expect.element(box.getByRole('button', { name: 'Tutup', exact: true })).toBeInViewport({ ratio: 1 })
})
