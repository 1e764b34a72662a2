import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, phone } from '#tests/support/components/open-app.tsx'

const main = page.getByRole('main')

it.each([
  ['id', 'Foto dan video hasil edit', '30 hari', 'Petugas pelindungan data', 'Pengaduan', 'Uang kembali'],
  ['en', 'Edited photos and videos', '30 days', 'Data protection officer', 'Complaints', 'Money back'],
] as const)(
  'tells retention, data officer, PSE number, complaints and refund rule (%s)',
  async (language, results, days, officer, complaints, money) => {
    await openApp('/privacy-policy', { language, size: phone })
    const footer = page.elementLocator(document.querySelector('footer') as Element)
    const table = page.getByRole('table')
    await expect.element(table.getByRole('row', { name: `${results} ${days}` })).toBeVisible()
    await expect.element(main.getByRole('heading', { name: officer })).toBeVisible()
    await expect.element(main.getByText('Dewi Lestari')).toBeVisible()
    await expect
      .element(main.getByRole('link', { name: 'data@contoh.test' }))
      .toHaveAttribute('href', 'mailto:data@contoh.test')
    await expect.element(footer.getByText(complaints)).toBeVisible()
    await expect.element(footer.getByRole('link', { name: 'aduan@contoh.test' })).toBeVisible()
    await expect.element(footer.getByText(/012345\.01\/DJAI\.PSE\/11\/2026/)).toBeVisible()
    await footer.getByRole('link', { name: language === 'id' ? 'Syarat layanan' : 'Terms of service' }).click()
    await expect.element(main.getByRole('heading', { name: money })).toBeVisible()
  },
)
