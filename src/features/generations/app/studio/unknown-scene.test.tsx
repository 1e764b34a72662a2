import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { setText } from '#tests/support/components/layout.ts'
import { desktop, openApp } from '#tests/support/components/open-app.tsx'
import { pictureFile, sari } from '#tests/support/components/samples.ts'
import { button, choose } from '#tests/support/components/screen.ts'
import type { ApiCall } from '#tests/support/components/stub-api.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'

afterEach(() => setText(100))

const clean: PhotoCheckView = { credits: 5, facts: {}, faces: [], warnings: [], problems: [], checks: [] }
const unknown = { path: 'prompt', code: 'tool.scene_unknown', msg: 'Latar itu belum bisa kami buat.' }

/** Choices that are partly below the edge of the options. */
function cutChoices(): string[] {
  const { bottom } = (document.querySelector('.studio-options') as Element).getBoundingClientRect()
  const choices = [...document.querySelectorAll('.studio-options :is(button, input)')]
  return choices.flatMap((choice) =>
    choice.checkVisibility() && choice.getBoundingClientRect().bottom > bottom + 1 ? [choice.textContent] : [],
  )
}

it('offers the three most similar scenes for a prompt that none shows, and starts only with one of them', async () => {
  const server = new GenerationServer()
  const check = ({ body }: ApiCall) => {
    const { params } = body as { params: { scene?: string } }
    return { ...clean, problems: (params.scene ?? 'auto') === 'auto' ? [unknown] : [] }
  }
  const { messages } = await openApp('/ai-background-diffusion', {
    user: sari,
    size: [360, 640],
    api: { ...server.routes, 'POST /api/tools/*/check': check },
  })
  await choose(await pictureFile(512, 600))
  await page.getByRole('textbox', { name: 'Suasana yang kamu mau' }).fill('di depan masjid')
  const similar = page.getByRole('group', { name: 'Usulan latar' })
  await expect.element(similar).toBeInViewport({ ratio: 1 })
  expect(similar.getByRole('button').elements()).toHaveLength(3)
  const pictures = [...similar.element().querySelectorAll('img')].map((image) => new URL(image.src).pathname)
  expect(new Set(pictures).size).toBe(3)
  for (const path of pictures) expect(path).toMatch(/^\/samples\/locations\/[a-z-]+\.webp$/)
  await expect.element(page.getByText('Latar itu belum bisa kami buat.')).toBeVisible()
  for (const percent of [200, 100]) {
    await setText(percent)
    expect(cutChoices(), `${percent} % text`).toEqual([])
  }

  // From another group of options the button leads to them, and their words are read out.
  await button('Cahaya').click()
  await button(/^Buat latar baru/).click()
  await expect.element(similar).toHaveFocus()
  await expect.element(similar).toHaveAccessibleDescription('Belum ada. Coba salah satu ini:')
  expect(messages()).toEqual([])
  expect(server.generations).toEqual([])

  const hall = similar.getByRole('button', { name: 'Aula' })
  await hall.click()
  await expect.element(hall).toHaveAttribute('aria-pressed', 'true')
  await expect.element(page.getByRole('textbox', { name: 'Suasana yang kamu mau' })).toHaveValue('')
  await expect.element(page.getByText('Latar itu belum bisa kami buat.')).not.toBeInTheDocument()
  await button(/^Buat latar baru/).click()
  await expect.poll(() => server.generations[0]?.params).toMatchObject({ prompt: '', scene: 'hall' })
})

it('shows places of the operator among the scenes, finds them by words and suggests them', async () => {
  const server = new GenerationServer()
  const mosque = {
    id: 'added-masjid',
    version: 3,
    name: { id: 'Masjid Raya', en: 'Great mosque' },
    kind: 'photo',
    exposure: 0,
    words: ['masjid', 'mosque'],
    picture: '/samples/locations/hall.webp',
  }
  await openApp('/ai-background-diffusion', {
    user: sari,
    size: desktop,
    api: {
      ...server.routes,
      'GET /api/locations': { items: [mosque] },
      'POST /api/tools/*/check': () => clean,
    },
  })
  await choose(await pictureFile(512, 600))
  const prompt = page.getByRole('textbox', { name: 'Suasana yang kamu mau' })
  await prompt.fill('polos biru muda')
  await expect.element(page.getByText('Terbaca: Polos, biru muda')).toBeVisible()
  await button('Hapus tulisan').click()
  await expect.element(prompt).toHaveValue('')
  await expect.element(prompt).toHaveFocus()
  await prompt.fill('di depan masjid')
  await expect.element(page.getByText('Terbaca: Masjid Raya')).toBeVisible()
  await prompt.fill('gereja')
  const similar = page.getByRole('group', { name: 'Usulan latar' })
  await expect.element(similar.getByRole('button').first()).toHaveTextContent('Masjid Raya')
  await page.getByRole('group', { name: 'Pilihan suasana' }).getByRole('button', { name: 'Masjid Raya' }).click()
  await button(/^Buat latar baru/).click()
  await expect.poll(() => server.generations[0]?.params).toMatchObject({ scene: 'added-masjid' })
})
