import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { setText, windowSizes } from '#tests/support/components/layout.ts'
import { navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari } from '#tests/support/components/samples.ts'
import { drag } from '#tests/support/components/screen.ts'
import { violations } from '#tests/support/components/violations.ts'
import { toolContracts } from '#tools/contracts.ts'
import { toolPages } from '#tools/pages.ts'

afterEach(() => setText(100))

/** The smallest phone and a desktop; in the soak all. */
const sizes = import.meta.env.SOAK ? windowSizes : ([windowSizes[0], windowSizes[3]] as const)

interface Place {
  x: number
  y: number
  width: number
  height: number
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const boxOf = (selector: string): Place => {
  const box = find(selector)?.getBoundingClientRect()
  if (!box) throw new Error(`there is no ${selector}`)
  return { x: box.x, y: box.y, width: box.width, height: box.height }
}

/** Positions in order, without those within two pixels of the previous. */
function distinct(places: readonly Place[]): Place[] {
  const found: Place[] = []
  const apart = (one: Place, other: Place) =>
    Math.max(...(['x', 'y', 'width', 'height'] as const).map((side) => Math.abs(one[side] - other[side])))
  for (const place of places) {
    const last = found.at(-1)
    if (!last || apart(last, place) > 2) found.push(place)
  }
  return found
}

/** Records the positions of stage and picture in every frame, and if the sheet was ever empty. */
function watch() {
  const seen = { stages: [] as Place[], pictures: [] as Place[], bare: false, frame: 0 }
  const look = () => {
    if (find('.studio-stage')) seen.stages.push(boxOf('.studio-stage'))
    if (find('.stage-frame')) seen.pictures.push(boxOf('.stage-frame'))
    seen.bare ||= find('.studio-options')?.childElementCount === 0
    seen.frame = requestAnimationFrame(look)
  }
  look()
  return { seen, stop: () => cancelAnimationFrame(seen.frame) }
}

/** Waits until stage and sheet rest for three frames after a change of size. */
async function settled(): Promise<void> {
  const places = () => JSON.stringify(['.studio-stage', '.studio-sheet'].map(boxOf))
  for (let [still, last] = [0, '']; still < 3; ) {
    await new Promise(requestAnimationFrame)
    const now = places()
    still = now === last ? still + 1 : 0
    last = now
  }
}

/** True if the element is there and wholly in the window. */
function isInside(selector: string): boolean {
  if (!find(selector)?.checkVisibility()) return false
  const { x, y, width, height } = boxOf(selector)
  return width > 0 && x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight
}

/** Visible share of the picture: points with nothing but the stage on top. */
function shareSeen(): number {
  const frame = boxOf('.stage-frame')
  const steps = Array.from({ length: 20 }, (_, index) => (index + 0.5) / 20)
  const points = steps.flatMap((y) =>
    steps.map((x) => [frame.x + x * frame.width, frame.y + y * frame.height] as const),
  )
  const seen = points.filter(([x, y]) => {
    const top = document.elementFromPoint(x, y)
    return find('.studio-stage')?.contains(top) && !top?.closest('.viewer-tools')
  })
  return seen.length / points.length
}

const download = page.getByRole('button', { name: 'Unduh PNG' })
const inView = (locator: ReturnType<typeof page.getByRole>) => expect.element(locator).toBeInViewport({ ratio: 1 })

it.each(sizes)('keeps the position of the picture from choosing to the result at %i × %i', async (width, height) => {
  const server = new GenerationServer()
  server.instant = false
  const { api } = await openApp('/ai-background-removal', { user: sari, size: [width, height], api: server.routes })
  await page.getByRole('button', { name: 'Pilih foto' }).upload(await pictureFile(512, 600))
  const start = page.getByRole('button', { name: /^Hapus latar/ })
  await expect.element(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
  const { seen, stop } = watch()

  // A single tap suffices, and nothing covers the button.
  await inView(start)
  expect(find('nav.dock')?.checkVisibility() ?? false).toBe(false)
  await start.click()
  await expect.poll(() => server.generations).toHaveLength(1)
  api.emit('generation', server.finish('g-1'))
  await inView(download)
  await expect.poll(() => find('.viewer')?.hasAttribute('data-revealing')).toBe(false)
  stop()
  expect(seen.bare, 'the sheet was empty').toBe(false)
  expect(distinct(seen.stages), 'places of the stage').toHaveLength(1)
  expect(distinct(seen.pictures), 'places of the picture').toHaveLength(1)
  expect(shareSeen()).toBeGreaterThanOrEqual(0.55)

  // Nothing covers the result, and the sheet takes at most half of a phone's height.
  const [sheet, place] = [boxOf('.studio-sheet'), boxOf('.stage-frame')]
  const beside = sheet.x > place.x + place.width / 2
  expect(beside || sheet.y >= place.y + place.height - 1).toBe(true)
  if (width < height) expect(sheet.height).toBeLessThanOrEqual(0.5 * height + 1)

  // A magnified picture fills the stage, including the line.
  await page.getByRole('button', { name: 'Perbesar' }).click()
  const line = () => Number.parseFloat(getComputedStyle(find('.compare-handle') as Element, '::before').height)
  await expect.poll(line).toBeGreaterThanOrEqual(boxOf('.studio-stage').height)
  await page.getByRole('button', { name: 'Tampilkan seluruh foto' }).click()

  // At 200 % text the title keeps its place beside the buttons.
  await setText(200)
  if (width === 360) await page.viewport(320, height)
  const button = download.element()
  const { left, right } = button.getBoundingClientRect()
  const parts = document.createRange()
  parts.selectNodeContents(button)
  const cut = [...parts.getClientRects()].filter((part) => part.left < left || part.right > right)
  expect(cut, 'parts of the label beside its button').toEqual([])
  const title = page.getByRole('heading', { level: 1 }).element()
  if (width !== 360) expect(title.getBoundingClientRect().width).toBeGreaterThan(110)
  if (beside) {
    await page.viewport(Math.min(width, 1024), height)
    expect(title.scrollWidth - title.clientWidth).toBe(0)
  }
})

it('keeps the names of a narrow photo’s sides apart at twice the text size, and a message its button', async () => {
  const server = new GenerationServer()
  server.generations = [generationOf('a', { size: [300, 560] })]
  const { api } = await openApp('/ai-background-removal?result=a', { user: sari, size: [360, 640], api: server.routes })
  await inView(download)
  await page.getByRole('slider', { name: 'Bandingkan sebelum dan sesudah' }).fill('50')
  await setText(200)
  const tag = (side: string) => page.getByText(side, { exact: true }).element().getBoundingClientRect()
  const [before, after] = [tag('Sebelum'), tag('Sesudah')]
  expect(before.right <= after.left || before.bottom <= after.top, 'the names of the sides').toBe(true)

  navigateInApp('/pricing')
  api.emit('generation', generationOf('b', { finishedAt: new Date().toISOString() }))
  await expect.poll(() => find('.toast > .alert')).not.toBeNull()
  const alert = find('.toast > .alert') as HTMLElement
  const { left, right } = alert.getBoundingClientRect()
  const parts = [...alert.children].map((part) => part.getBoundingClientRect())
  expect(left >= 0 && right <= innerWidth && parts.every((part) => part.left >= left && part.right <= right)).toBe(true)
})

/** True where an open choice is partly below the edge of the options. */
function cutsChoice(): boolean {
  const { y, height } = boxOf('.studio-options')
  const choices = [...document.querySelectorAll('.studio-options :is(button, label)')]
  return choices.some((choice) => choice.checkVisibility() && choice.getBoundingClientRect().bottom > y + height + 1)
}

it('shows all options of every tool in at most half of a phone, beside the picture', async () => {
  // English has the longer names.
  await openApp('/pricing', { user: sari, language: 'en', api: new GenerationServer().routes })
  const pictureTools = Object.values(toolContracts).filter(({ inputs }) =>
    Object.values<{ kind: string }>(inputs).every(({ kind }) => kind !== 'video'),
  )
  // The colorizer offers nothing for a photo in colour.
  const grey = await pictureFile(512, 600, 'abu.png', '#8a8a8a')
  const choose = async ({ route, inputs }: (typeof pictureTools)[number]) => {
    navigateInApp(route)
    const count = Object.values<{ min: number }>(inputs).reduce((sum, { min }) => sum + min, 0)
    const picker = () =>
      document.querySelector<HTMLInputElement>('main input[type=file][id][multiple], main input[type=file][id]')
    await expect.poll(() => location.pathname === route && picker()).toBeTruthy()
    await userEvent.upload(picker() as HTMLElement, Array(picker()?.multiple ? count : 1).fill(grey))
    await expect.poll(() => find('.studio-layout')).not.toBeNull()
  }
  // Each tool at the smallest size and another one; in the soak at all.
  const others = [...windowSizes.slice(1), [360, 560] as const]
  const sizesOf = (index: number) =>
    import.meta.env.SOAK ? others : others.filter((_, other) => other === index % others.length)
  for (const [index, tool] of pictureTools.entries()) {
    await choose(tool)
    for (const [width, height] of [windowSizes[0], ...sizesOf(index)]) {
      await page.viewport(width, height)
      await settled()
      const [stage, sheet] = [boxOf('.studio-stage'), boxOf('.studio-sheet')]
      const what = `${tool.route} at ${width} × ${height}`
      const apart = sheet.x >= stage.x + stage.width - 1 || sheet.y >= stage.y + stage.height - 1
      expect.soft(apart, what).toBe(true)
      const share = sheet.height / height
      if (width < height) expect.soft(share, what).toBeLessThanOrEqual(0.5 + 1 / height)
      // Only what needs more than half of the screen scrolls.
      if (width < height && share < 0.49) expect.soft(cutsChoice(), what).toBe(false)
      if (height === 844) expect.soft(cutsChoice(), what).toBe(false)
      if (width > height) expect.soft(sheet.width, what).toBeLessThanOrEqual(0.4 * width)
      expect.soft(boxOf('.studio-action .btn > span').height, `one line on the button of ${what}`).toBeLessThan(32)
    }
  }
  // Opened options are visible even below a lot of content.
  await page.viewport(360, 640)
  await choose(pictureTools.find(({ route }) => route === '/photo-layout') as (typeof pictureTools)[number])
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await inView(page.getByRole('textbox', { name: 'Text on the page' }))
})

it('reserves the height that the options of a tool take while they load', async () => {
  await openApp('/pricing', { user: sari, size: [390, 844], api: new GenerationServer().routes })
  for (const { definition, panelHeight = 0 } of [toolPages['passport-photo'], toolPages.cartoonizer]) {
    navigateInApp(definition.route)
    await expect.poll(() => location.pathname === definition.route && find('main input[type=file][id]')).toBeTruthy()
    await userEvent.upload(find('main input[type=file][id]') as HTMLElement, await pictureFile(512, 600))
    await expect.poll(() => find('.studio-sheet [role=toolbar]')).not.toBeNull()
    const [panel] = (find('.studio-options') as HTMLElement).children
    const taken = (panel?.getBoundingClientRect().height ?? 0) + boxOf('.studio-sheet [role=toolbar]').height
    expect(Math.abs(taken - 16 * panelHeight), definition.route).toBeLessThanOrEqual(2)
  }
})

it('moves the sheet by finger and keyboard, with notes on the picture and options within reach at twice the text size', async () => {
  const consents = { items: [], current: { biometric: '2026-11', remote: '2026-11' } }
  await openApp('/ai-face-cutout', { user: sari, size: [390, 844], api: { 'GET /api/user/consents': consents } })
  await page.getByRole('button', { name: 'Pilih foto' }).upload(await pictureFile(512, 600))
  const note = page.getByRole('button', { name: 'Lihat posisi kepala · gratis' })
  await inView(note)
  expect(find('.studio-stage')?.contains(note.element())).toBe(true)
  expect(cutsChoice()).toBe(false)
  expect(await violations()).toEqual([])
  await page.getByLabelText('Catatan di foto').click()
  await expect.element(note).not.toBeInTheDocument()
  await page.getByLabelText('Catatan di foto').click()
  await inView(note)

  const handle = page.getByRole('separator', { name: 'Tinggi panel pilihan' })
  const sheetHeight = () => Math.round(boxOf('.studio-sheet').height)
  const fitting = sheetHeight()
  await drag(handle.element(), [0.5, 0.5], [0.5, -9.5])
  await expect.poll(sheetHeight).toBeGreaterThan(fitting + 150)
  expect(boxOf('.studio-stage').height).toBeLessThanOrEqual(844 - 48 - fitting - 150)
  ;(handle.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(sheetHeight).toBe(fitting)
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(sheetHeight).toBeLessThan(fitting - 70)
  await userEvent.keyboard('{Enter}')

  await setText(200)
  for (const [width, height] of windowSizes.slice(0, 3)) {
    await page.viewport(width, height)
    await settled()
    await inView(page.getByText('Ketat', { exact: true }))
    const [notes, stage] = [boxOf('.studio-notes'), boxOf('.studio-stage')]
    expect(notes.y, 'notes stay on the picture').toBeGreaterThanOrEqual(stage.y)
  }
})

it('shows all that it takes to begin on a small phone and one on its side, also offline with the title', async () => {
  const choose = page.getByRole('button', { name: 'Pilih foto' })
  const { api } = await openApp('/', { size: [360, 640] })
  const dock = page.getByRole('navigation', { name: 'Menu utama' }).element().getBoundingClientRect()
  expect(choose.element().getBoundingClientRect().bottom).toBeLessThan(dock.top)
  await page.viewport(844, 390)
  await inView(choose)
  navigateInApp('/ai-background-removal')
  await inView(page.getByRole('button', { name: 'Contoh: kucing' }))
  await inView(choose)

  await choose.upload(await pictureFile(512, 600))
  await expect.poll(() => find('.studio-layout')).not.toBeNull()
  api.setReachable(false)
  window.dispatchEvent(new Event('offline'))
  for (const [width, height] of windowSizes) {
    await page.viewport(width, height)
    await expect.poll(() => isInside('.studio-offline')).toBe(true)
    const heading = page.getByRole('heading', { level: 1 }).element()
    const { left, top, width: wide, height: high } = heading.getBoundingClientRect()
    const points = Array.from({ length: 20 }, (_, i) => left + ((i + 0.5) / 20) * wide)
    // Decoration is not a target of taps.
    for (const drawn of document.querySelectorAll<HTMLElement>('.offline-place *')) drawn.style.pointerEvents = 'auto'
    const covered = points.filter((x) => document.elementFromPoint(x, top + high / 2) !== heading)
    expect(covered, `${width} × ${height}`).toEqual([])
  }
})

it('leaves the title of a member’s tool whole while the device is offline', async () => {
  const { api } = await openApp('/ai-object-removal', {
    user: sari,
    size: [390, 844],
    api: new GenerationServer().routes,
  })
  await page.getByRole('button', { name: 'Pilih foto' }).upload(await pictureFile(512, 600))
  await inView(page.getByRole('button', { name: 'Setelanku' }))
  api.setReachable(false)
  window.dispatchEvent(new Event('offline'))
  await expect.poll(() => isInside('.studio-offline')).toBe(true)
  const title = find('.studio-title') as HTMLElement
  expect(title.scrollHeight).toBeLessThanOrEqual(title.clientHeight + 1)
  expect(title.clientHeight).toBeLessThan(24)
})
