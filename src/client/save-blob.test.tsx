import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openApp } from '#tests/support/components/open-app.tsx'
import { orderOf, sari } from '#tests/support/components/samples.ts'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const sheet = page.getByRole('dialog', { name: 'Simpan berkas' })
const share = vi.fn<(data: { files: File[] }) => Promise<void>>()
const download = vi.fn()

/** An app on the home screen of iOS. */
function installOnIos({ shares = () => true }: { shares?: (data: { files: File[] }) => boolean } = {}): void {
  const given = { standalone: true, canShare: shares, share }
  for (const [name, value] of Object.entries(given))
    Object.defineProperty(navigator, name, { value, configurable: true })
  onTestFinished(() => {
    for (const name of Object.keys(given)) delete (navigator as unknown as Record<string, unknown>)[name]
  })
}

async function openQr(): Promise<() => string[]> {
  const qris = orderOf('o1', {
    method: 'qris',
    payment: { ...orderOf('o1').payment!, vaNumber: null, qrContent: 'QRIS' },
  })
  const { messages } = await openApp('/checkout?order=o1', { user: sari, api: { 'GET /api/orders/*': qris } })
  await button('Simpan QR').click()
  return messages
}

beforeEach(() => {
  share.mockReset().mockResolvedValue()
  download.mockReset()
  Object.defineProperty(HTMLAnchorElement.prototype, 'click', { value: download, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click'))
})

describe('in an app on the home screen of iOS', () => {
  it('saves through the share sheet, since a download is a preview without a way back', async () => {
    installOnIos()
    const messages = await openQr()
    await expect.poll(messages).toContain('Tersimpan di perangkatmu')
    const [file] = share.mock.calls[0]![0].files
    expect(file).toMatchObject({ type: 'image/png', name: expect.stringMatching(/-qris-.*\.png$/) })
    expect(download).not.toHaveBeenCalled()
  })

  it('accepts that the user closes the share sheet', async () => {
    installOnIos()
    share.mockRejectedValue(new DOMException('', 'AbortError'))
    await openQr()
    await expect.poll(() => share.mock.calls).toHaveLength(1)
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(button('Simpan QR')).toBeVisible()
  })

  it('asks for a tap if preparing took longer than the browser trusts the last one', async () => {
    installOnIos()
    share.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    const messages = await openQr()
    await expect.element(sheet.getByText(/-qris-.*\.png/)).toBeVisible()
    await button('Simpan atau bagikan').click()
    await expect.poll(messages).toContain('Tersimpan di perangkatmu')
    await expect.element(sheet).not.toBeInTheDocument()
  })

  it('shows a picture that cannot be shared, with a way back', async () => {
    installOnIos({ shares: () => false })
    await openQr()
    await expect.element(sheet.getByText(/Tekan lama gambarnya/)).toBeVisible()
    await sheet.getByRole('button', { name: 'Tutup', exact: true }).click()
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(button('Simpan QR')).toBeVisible()
    expect(share).not.toHaveBeenCalled()
    expect(download).not.toHaveBeenCalled()
  })
})

it('elsewhere downloads', async () => {
  await openQr()
  await expect.poll(() => download.mock.calls).toHaveLength(1)
})
