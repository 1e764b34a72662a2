import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import type { OutputView } from '#features/generations/schemas.ts'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { setText, windowSizes } from '#tests/support/components/layout.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari } from '#tests/support/components/samples.ts'
import { button, savedFiles } from '#tests/support/components/screen.ts'

const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const boxOf = (selector: string) => (document.querySelector(selector) as Element).getBoundingClientRect()

/** A passport photo with a print sheet, opened at the sheet. */
async function openSheet(contentType: string, own: { format: string; route?: () => Promise<unknown> }) {
  const server = new GenerationServer()
  const made = generationOf('a', { tool: 'passport-photo', warnings: [{ code: 'tilted', msg: 'Wajah menoleh.' }] })
  const [photo] = made.outputs as [OutputView]
  const type = contentType.split('/')[1] as string
  const unseen = type === 'pdf' && { width: 0, height: 0 }
  const sheet = { ...photo, ...unseen, id: 'a-sheet', name: `lembar.${type}`, contentType, label: '4R' }
  const sheets = [{ paper: '4r', file: type, photos: [{ preset: 'this', count: 0 }], cutMarks: true }]
  const params = { ...made.params, format: own.format, sheets }
  server.generations = [{ ...made, params, outputs: [{ ...photo, contentType: `image/${own.format}` }, sheet] }]
  const app = await openApp('/history?id=a', { user: sari, api: server.routes })
  if (own.route) app.api.serve({ 'POST /api/generations/*/render': own.route })
  await page.getByRole('list', { name: 'Semua hasil' }).getByRole('button', { name: '4R' }).click()
  return { server, ...app }
}

it('draws a print sheet, names it by its own format, and offers no other', async () => {
  await openSheet('application/pdf', { format: 'jpeg' })
  const drawing = page.getByRole('img', { name: 'Pratinjau lembar cetak' }).first()
  await expect.element(drawing).toBeInViewport({ ratio: 1 })
  // Two rows of two photos of 4 x 6 cm.
  expect(drawing.element().querySelectorAll('image')).toHaveLength(4)
  const saved = savedFiles()
  await button('Unduh PDF').click()
  await expect.poll(() => saved).toEqual(['lembar.pdf'])
  await button('Unduh dalam format lain').click()
  const choices = page.getByRole('dialog', { name: 'Unduh sebagai' }).getByRole('listitem')
  await expect.element(choices).toHaveLength(1)
  await expect.element(choices).toHaveTextContent('Unduh semua (ZIP)')
})

it('says why a sheet was not saved in the chosen format', async () => {
  const { messages } = await openSheet('image/jpeg', { format: 'jpeg' })
  const saved = savedFiles()
  await button('Unduh dalam format lain').click()
  await page.getByRole('dialog').getByRole('button', { name: /^PNG/ }).click()
  await expect.poll(() => saved).toEqual(['lembar.jpeg'])
  await expect.poll(messages).toContain('Tersimpan sebagai JPEG, satu-satunya format hasil ini')
})

it('has notes of one line on the picture, which open, and keeps the names of both sides clear of them', async () => {
  const server = new GenerationServer()
  const msg =
    'Kurang tajam. Pakai foto yang lebih besar, supaya hasilnya tidak pecah waktu dicetak. Atau kecilkan ukuran cetaknya di pilihan.'
  server.generations = [generationOf('a', { warnings: [{ code: 'low_resolution', msg }] })]
  await openApp('/history?id=a', { user: sari, api: server.routes })
  const line = button(/^Kurang tajam/)
  await expect.element(line).toBeVisible()
  const rectOf = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect()
  const list = line.element().closest('ul')
  expect(rectOf(line.element().firstElementChild).right).toBeLessThan(rectOf(list).right)
  expect(rectOf(list).right).toBeLessThan(innerWidth)
  const lines = () => line.element().firstElementChild?.clientHeight ?? 0
  const folded = lines()
  await line.click()
  await expect.poll(lines).toBeGreaterThan(1.8 * folded)
  // The text keeps its distance from the edge of its box.
  expect(rectOf(line.element().firstElementChild).top - rectOf(list).top).toBeGreaterThan(4)
  await page.getByLabelText('Catatan di foto').click()
  await expect.element(page.getByText(/^Kurang tajam/)).not.toBeVisible()
  const [fold, after] = [boxOf('.studio-notes summary'), page.getByText('Sesudah').element().getBoundingClientRect()]
  expect(after.bottom <= fold.top || after.right <= fold.left).toBe(true)
})

it('shows variations and facts in plain words below the result, of which they cover nothing', async () => {
  const server = new GenerationServer()
  const facts = { studioScene: true, seed: '1, 2, 3, 4', scene: 'esplanade' }
  const made = generationOf('a', { tool: 'background-diffusion', facts })
  const outputs = [1, 2, 3, 4].flatMap((n) =>
    made.outputs.map((output) => ({ ...output, id: `a-${n}`, label: `${n}` })),
  )
  server.generations = [{ ...made, outputs }]
  await openApp('/history?id=a', { user: sari, language: 'en', api: server.routes })
  await text('Hotel lobby').toBeVisible()
  await text('Variation 1, 2, 3, 4').toBeVisible()
  expect(page.getByText('Studio scene').all()).toHaveLength(0)
  const strip = page.getByRole('list', { name: 'All results' })
  onTestFinished(() => setText(100))
  await setText(200)
  for (const [width, height] of windowSizes) {
    await page.viewport(width, height)
    const under = () => strip.element().getBoundingClientRect().top - boxOf('.stage-frame').bottom
    await expect.poll(under, { message: `${width} × ${height}` }).toBeGreaterThanOrEqual(0)
    expect(boxOf('.stage-frame').height, `${width} × ${height}`).toBeGreaterThan(48)
  }
})

it('magnifies a result under correction by buttons, which draw nothing', async () => {
  const server = new GenerationServer()
  server.generations = [generationOf('a', { tool: 'background-diffusion' })]
  await openApp('/history?id=a', { user: sari, api: server.routes })
  await button('Koreksi').click()
  const shown = () => boxOf('.mask-canvas > div').width / boxOf('.mask-canvas').width
  await expect.poll(() => document.querySelector('.mask-canvas')).not.toBeNull()
  await button('Perbesar').click()
  await expect.poll(shown).toBeGreaterThan(1.5)
  await button('Tampilkan seluruh foto').click()
  await expect.poll(shown).toBeCloseTo(1, 2)
  await expect.element(button('Urungkan')).toBeDisabled()
})

it('shows the rule of a passport photo to its last line on a small phone', async () => {
  const server = new GenerationServer()
  const made = generationOf('a', { tool: 'passport-photo' })
  const params = { ...made.params, preset: '51x51', format: 'jpeg' }
  const outputs = made.outputs.map((output) => ({ ...output, contentType: 'image/jpeg' }))
  server.generations = [{ ...made, params, outputs }]
  await openApp('/history?id=a', { user: sari, size: [360, 640], language: 'en', api: server.routes })
  await expect.element(button('Download JPEG')).toBeVisible()
  const rule = page.getByText(/Check with the office you apply to\.$/)
  await expect.element(rule).toBeVisible()
  await expect
    .poll(() => rule.element().getBoundingClientRect().bottom)
    .toBeLessThanOrEqual(boxOf('.studio-options').bottom)
})

it('leads from a new background back to the same photo, corrections and options, and tells the price of another', async () => {
  const server = new GenerationServer()
  const made = generationOf('a', { tool: 'background-diffusion' })
  const photo = URL.createObjectURL(await pictureFile(512, 600))
  const strokes = [{ mode: 'keep' as const, shape: 'line' as const, size: 20, points: [128, 150, 256, 300] }]
  const inputs = made.inputs.flatMap((input) => [
    { ...input, url: photo },
    { ...input, id: 'own-logo', input: 'logo', name: 'logo.png', url: photo },
  ])
  const logo = { place: 'top-left', size: 0.2, margin: 0.05, opacity: 1, plate: false }
  const params = { ...made.params, scene: 'hall', light: 'left', scale: 0.8, strokes, logo }
  server.generations = [{ ...made, params, inputs }]
  await openApp('/history?id=a', { user: sari, size: [360, 640], api: server.routes })
  await expect.element(button('Ganti suasana')).toBeVisible()
  const options = boxOf('.studio-options').bottom
  const choices = [...document.querySelectorAll('.studio-options :is(button, label)')]
  const below = choices.filter((choice) => choice.checkVisibility() && choice.getBoundingClientRect().bottom > options)
  expect(below.map(({ textContent }) => textContent)).toEqual([])
  await button('Ganti suasana').click()
  await expect.poll(() => location.pathname).toBe('/ai-background-diffusion')
  const scenes = page.getByRole('group', { name: 'Pilihan suasana' })
  await expect.element(scenes.getByRole('button', { name: 'Aula' })).toHaveAttribute('aria-pressed', 'true')
  await scenes.getByRole('button', { name: 'Hutan' }).click()
  const start = button(/^Buat latar baru/)
  await expect.element(start).toMatchTextContent(/5 kredit/)
  await start.click()
  await expect
    .poll(() => server.generations.at(0)?.params)
    .toMatchObject({ scene: 'forest', light: 'left', scale: 0.8, strokes, logo })
})

it('shows the styles of a reopened cartoon on its own photograph', async () => {
  const server = new GenerationServer()
  const made = generationOf('a', { tool: 'cartoonizer' })
  const photo = URL.createObjectURL(await pictureFile(64))
  server.generations = [{ ...made, inputs: made.inputs.map((input) => ({ ...input, url: photo })) }]
  await openApp('/history?id=a', { user: sari, api: server.routes })
  const styles = page.getByRole('group', { name: 'Gaya gambar' })
  await expect.element(styles).toBeVisible()
  await expect.poll(() => styles.element().querySelectorAll('img').length).toBe(8)
})
