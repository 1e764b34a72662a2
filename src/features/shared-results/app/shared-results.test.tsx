import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { address, desktop, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, inDays, pictureAddress, sari } from '#tests/support/components/samples.ts'
import { button, heading, savedFiles } from '#tests/support/components/screen.ts'
import { violations } from '#tests/support/components/violations.ts'

const token = 'x'.repeat(44)
const path = `/shared/${token}`
const sharedLink = {
  id: 'l1',
  path,
  generationId: 'a',
  position: 0,
  tool: 'background-removal',
  thumbnailUrl: null,
  withOriginal: false,
  hasPassword: false,
  openings: 0,
  createdAt: inDays(0),
  expiresAt: inDays(7),
}

// Chromium on Linux has no share sheet.
it('offers WhatsApp beside the copy of a link where the browser has no share sheet, and asks before it revokes', async () => {
  const server = new GenerationServer()
  server.generations = [generationOf('a')]
  const made: (typeof sharedLink)[] = []
  const { messages } = await openApp('/history?id=a', {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/user/shared_results': () => {
        made.push(sharedLink)
        return sharedLink
      },
      'GET /api/user/shared_results': () => ({ items: made }),
      'DELETE /api/user/shared_results/*': () => void made.pop(),
    },
  })
  await button('Pilihan lain').click()
  await button('Bagikan lewat tautan').click()
  await button('Buat tautan').click()
  const whatsapp = page.getByRole('link', { name: 'WhatsApp' })
  await expect.element(whatsapp).toBeVisible()
  const element = whatsapp.element() as HTMLAnchorElement
  expect(new URL(element.href).searchParams.get('text')).toBe(`${location.origin}${path}`)
  expect(element).toMatchObject({ hostname: 'wa.me', target: '_blank', rel: 'noopener' })
  expect(await violations()).toEqual([])

  // The same link again, which can also be copied by hand.
  await button('Tutup').first().click()
  await button('Pilihan lain').click()
  await button('Bagikan lewat tautan').click()
  await expect.element(whatsapp).toBeVisible()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  await button('Salin tautan').click()
  await expect.poll(messages).toContain('Tautannya sudah ditandai. Tekan lama, lalu pilih Salin.')
  expect(window.getSelection()?.toString()).toBe(`${location.origin}${path}`)
  const revoke = button('Cabut tautan')
  await revoke.click()
  const question = page.getByRole('dialog', { name: 'Cabut tautan ini?' })
  await question.getByRole('button', { name: 'Batal' }).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(made).toHaveLength(1)
  await revoke.click()
  await question.getByRole('button', { name: 'Cabut tautan' }).click()
  await expect.poll(messages).toContain('Tautan dicabut')
  expect(made).toEqual([])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('names the keys that copy a link where there is a mouse, and leads from its sheet to all links', async () => {
  const server = new GenerationServer()
  server.generations = [generationOf('a')]
  const { messages } = await openApp('/ai-background-removal?result=a', {
    user: sari,
    size: desktop,
    api: { ...server.routes, 'GET /api/user/shared_results': { items: [sharedLink] } },
  })
  await button('Pilihan lain').click()
  await button('Bagikan lewat tautan').click()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  const touch = matchMedia('(pointer: coarse)')
  const mouse = vi.spyOn(window, 'matchMedia').mockReturnValue({ ...touch, matches: false })
  await button('Salin tautan').click()
  await expect.poll(messages).toContain('Tautannya sudah ditandai. Tekan Ctrl + C, atau ⌘ C di Mac.')
  mouse.mockRestore()
  await page.getByRole('link', { name: 'Semua tautanmu ada di Akun.' }).click()
  await expect.poll(address).toBe('/profile')
  await expect.element(page.getByRole('heading', { name: 'Hasil yang dibagikan' })).toBeInViewport()
})

it('lets the friend save a shared picture, below a title in its middle', async () => {
  await openApp(`/shared/${token}`, {
    size: desktop,
    api: {
      'POST /api/shared_results/*/open': {
        tool: 'background-removal',
        result: { url: `/api/shared_results/${token}/result`, contentType: 'image/png', width: 400, height: 600 },
        original: null,
        place: null,
        expiresAt: inDays(3),
      },
      [`GET /api/shared_results/${token}/result`]: async () =>
        new Response(await (await fetch(pictureAddress(400, 600))).blob(), {
          headers: { 'content-type': 'image/png' },
        }),
    },
  })
  const saved = savedFiles()
  await button('Simpan gambar').click()
  await expect.poll(() => saved).toEqual(['background-removal.png'])
  const middle = (element: Element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { left, width } = range.getBoundingClientRect()
    return Math.round(left + width / 2)
  }
  const picture = page.getByAltText('Hasil edit').element().getBoundingClientRect()
  expect(Math.abs(middle(heading.element()) - (picture.left + picture.width / 2))).toBeLessThan(2)
})
