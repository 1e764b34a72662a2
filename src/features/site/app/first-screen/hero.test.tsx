import { expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openApp } from '#tests/support/components/open-app.tsx'
import { violations } from '#tests/support/components/violations.ts'

const uses = page.getByRole('group', { name: 'Contoh' })
const chosen = () => uses.getByRole('radio', { checked: true }).element().parentElement?.textContent
const pictures = () =>
  [...document.querySelectorAll<HTMLImageElement>('.hero-compare img')]
    .filter((picture) => picture.checkVisibility())
    .map(({ src }) => src.replace(/.*\//, ''))

it('shows three uses, each with a photo before and after, and stays where motion is unwanted', async () => {
  await openApp('/')
  await expect.element(page.getByRole('slider', { name: 'Bandingkan foto kopi' })).toBeInTheDocument()
  expect(pictures()).toEqual(['coffee.avif', 'coffee-cutout.avif'])
  await uses.getByText('Pasfoto').click()
  await expect.element(page.getByRole('slider', { name: 'Bandingkan foto biasa dan pasfoto' })).toBeInTheDocument()
  expect(pictures()).toEqual(['passport-photo-before.avif', 'passport-photo-after.avif'])
  await uses.getByText('Foto lama').click()
  await expect.poll(pictures).toEqual(['colorizer-before.avif', 'colorizer-after.avif'])
  expect(await violations()).toEqual([])
})

it('turns through the uses once, until the user chooses one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const motion = vi.spyOn(window, 'matchMedia').mockReturnValue({
    ...matchMedia('all'),
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  onTestFinished(() => motion.mockRestore())
  const app = await openApp('/')
  await expect.poll(chosen).toBe('Produk')
  for (const next of ['Pasfoto', 'Foto lama', 'Produk']) {
    await vi.advanceTimersByTimeAsync(5000)
    await expect.poll(chosen).toBe(next)
  }
  await vi.advanceTimersByTimeAsync(20_000)
  expect(chosen()).toBe('Produk')

  await app.reload()
  await uses.getByText('Foto lama').click()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(chosen()).toBe('Foto lama')
})
