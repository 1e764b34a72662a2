import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { startI18n } from '#client/i18n.ts'
import { windowSizes } from '#tests/support/components/layout.ts'
import { button } from '#tests/support/components/screen.ts'
import { BottomSheet } from './dialog.tsx'
import { Snackbar, showSnackbar } from './snackbar.tsx'

async function openSheet(): Promise<void> {
  await startI18n({ indonesian: false })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => root.unmount())
  root.render(
    <I18nProvider i18n={i18n}>
      <BottomSheet open onClose={() => undefined} title="Pilihan">
        <div className="h-[60rem]" />
        <button type="button">Terakhir</button>
      </BottomSheet>
      <Snackbar />
    </I18nProvider>,
  )
  await expect.element(page.getByRole('dialog')).toBeVisible()
}

it('leaves a dialog uncovered by messages, on phones, on their side and on desktops', async () => {
  const text = 'Tidak ada internet. Periksa koneksimu, lalu coba lagi beberapa saat lagi, ya. '.repeat(3)
  await openSheet()
  const edges = () => {
    const [toast, box] = ['.toast > .alert', '.modal-box'].map((part) =>
      document.querySelector(`dialog[open] ${part}`)?.getBoundingClientRect(),
    )
    return toast && box ? toast.bottom <= box.top && box.bottom <= innerHeight + 1 : null
  }
  for (const [width, height] of windowSizes) {
    await page.viewport(width, height)
    showSnackbar('error', text)
    await expect.poll(edges, { message: `${width} × ${height}` }).toBe(true)
  }
})

it('keeps title and close button in view while its content scrolls', async () => {
  await page.viewport(360, 640)
  await openSheet()
  const last = button('Terakhir')
  last.element().scrollIntoView()
  await expect.element(last).toBeInViewport({ ratio: 1 })
  await expect.element(page.getByRole('heading', { name: 'Pilihan' })).toBeInViewport({ ratio: 1 })
  await expect.element(button('Tutup')).toBeInViewport({ ratio: 1 })
})
