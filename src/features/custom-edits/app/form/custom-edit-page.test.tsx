import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { address, openApp } from '#tests/support/components/open-app.tsx'
import { pictureFile, sari, tools } from '#tests/support/components/samples.ts'
import { button, fileField } from '#tests/support/components/screen.ts'
import { instantEdit } from '#tools/instant-edit/contract/definition.ts'

it('offers an AI draft where a provider is there, which begins with the request and its photo', async () => {
  const tasks = instantEdit.needs?.(instantEdit.defaults) ?? []
  const offered = tools.map((tool) => (tool.id === instantEdit.id ? { ...tool, others: [...tasks] } : tool))
  await openApp('/customize-edit', { user: sari, api: { 'GET /api/tools': { items: offered } } })
  await page.getByRole('textbox', { name: 'Permintaan' }).fill('Ganti langit jadi biru')
  await userEvent.upload(fileField(), await pictureFile(512, 600))
  await button('Buat draf AI').click()
  await expect.poll(address).toBe(instantEdit.route)
  await expect.element(page.getByLabelText('Yang ingin kamu ubah')).toHaveValue('Ganti langit jadi biru')
  await expect.element(button(/^Buat draf/)).toMatchTextContent('5 kredit')
})

it('takes the error of a number away once the number is valid', async () => {
  await openApp('/customize-edit', { user: sari })
  const number = page.getByRole('textbox', { name: 'Nomor WhatsApp' })
  await number.fill('0812')
  await button('Kirim permintaan').click()
  await expect.element(number).toHaveAccessibleDescription(/tidak valid/)
  await number.fill('0812 3456 7890')
  await expect.element(number).not.toHaveAttribute('aria-invalid')
  await expect.element(page.getByText(/Nomor WhatsApp tidak valid/)).not.toBeInTheDocument()
})

it('draws the line around a long text like that around a short one', async () => {
  await openApp('/customize-edit', { user: sari })
  const line = (name: string) => getComputedStyle(page.getByRole('textbox', { name }).element()).borderColor
  await expect.poll(() => line('Permintaan')).toBe(line('Judul'))
})
