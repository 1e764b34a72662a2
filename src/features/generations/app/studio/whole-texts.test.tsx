import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SharedResult } from '#features/shared-results/schemas.ts'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { brokenWords, setText, windowSizes } from '#tests/support/components/layout.ts'
import { navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari, site } from '#tests/support/components/samples.ts'
import { button, choose } from '#tests/support/components/screen.ts'
import { elementsBeyond } from '#tests/support/elements-beyond.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { toolContracts } from '#tools/contracts.ts'

afterEach(() => setText(100))

/** The sizes with the least room: a small phone, and a phone on its side; in the soak all. */
const sizes = import.meta.env.SOAK ? windowSizes : ([windowSizes[0], windowSizes[2]] as const)
const desktops = import.meta.env.SOAK
  ? ([
      [1024, 600],
      [1440, 700],
      [1440, 900],
    ] as const)
  : ([[1024, 600]] as const)

const boxesOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map((part) => part.getBoundingClientRect())

/** Width of the text itself, which may be wider than its element. */
function textBox(element: Element): DOMRect {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect()
}

it.each(sizes)(
  'shows the whole title of a result in English beside the buttons, and names of choices, at %i × %i',
  async (width, height) => {
    const server = new GenerationServer()
    server.generations = [generationOf('a', { finishedAt: new Date().toISOString() })]
    await openApp('/ai-background-removal?result=a', {
      user: sari,
      language: 'en',
      size: [width, height],
      api: server.routes,
    })
    await expect.element(button('Download PNG')).toBeVisible()
    const heading = page.getByRole('heading', { name: 'Image generated successfully', level: 1 }).element()
    for (const percent of [100, 200]) {
      await setText(percent)
      expect(heading.scrollHeight - heading.clientHeight, `${percent} % text`).toBeLessThanOrEqual(1)
      expect(heading.scrollWidth - heading.clientWidth, `${percent} % text`).toBeLessThanOrEqual(1)
      const [options] = boxesOf('.studio-options')
      const [name] = boxesOf('.studio-options fieldset > button[aria-pressed] > span:last-child')
      expect.soft(name?.bottom, `name of a choice, ${percent} % text`).toBeLessThanOrEqual((options?.bottom ?? 0) + 2)
    }
  },
)

it('breaks no word of a heading or of an answer, beside buttons and beside or below other parts in large text', async () => {
  await openApp('/ai-background-diffusion', { user: sari, language: 'en', api: new GenerationServer().routes })
  await choose(await pictureFile(512, 600))
  await page.viewport(360, 640)
  await expect.element(page.getByRole('heading', { name: 'New Background', level: 1 })).toBeVisible()
  expect(brokenWords()).toEqual([])
  await setText(200)
  for (const [path, title] of [
    ['/ai-headshot', 'AI Headshot'],
    ['/how-to-use', 'How to use'],
    ['/', 'Hello, Sari'],
    ['/developers', 'API for developers'],
    ['/profile', 'Account'],
  ] as const) {
    navigateInApp(path)
    await expect.element(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    for (const [width, height] of sizes) {
      await page.viewport(width, height)
      expect.soft(brokenWords('h1, h2, h3, fieldset label'), `${path} at ${width} × ${height}`).toEqual([])
      expect.soft(elementsBeyond(innerWidth), `${path} at ${width} × ${height}`).toEqual([])
    }
  }
  navigateInApp('/ai-headshot')
  await expect.element(page.getByRole('heading', { name: 'AI Headshot', level: 1 })).toBeVisible()
  await page.viewport(390, 844)
  await choose(await pictureFile(512, 600))
  await button(/^See the head/).click()
  await expect.element(button('I do not agree')).toBeVisible()
  expect(brokenWords('dialog[open] button')).toEqual([])
})

it('keeps long words and addresses of public pages within a small screen in Indonesian and large text', async () => {
  const dataOfficer = { name: null, email: 'pelindungan.data.pribadi@perusahaan-contoh.test' }
  await openApp('/how-to-use', { size: [360, 640], api: { 'GET /api/site': { ...site, dataOfficer } } })
  await setText(200)
  for (const [path, part] of [
    ['/how-to-use', page.getByText('Bagaimana cara mendapat uangku kembali?')],
    ['/privacy-policy', page.getByRole('main').getByRole('link', { name: dataOfficer.email })],
  ] as const) {
    navigateInApp(path)
    await expect.element(part).toBeVisible()
    expect.soft(elementsBeyond(innerWidth), path).toEqual([])
    expect.soft(brokenWords('summary > span'), path).toEqual([])
  }
})

it('keeps sliders long, words of a menu whole, buttons large and the lowest sheet’s button in view in large text', async () => {
  const server = new GenerationServer()
  const params = { ...toolContracts.enhancement.defaults, format: 'png' }
  server.generations = [generationOf('a', { tool: 'enhancement', params, size: [300, 400] })]
  await openApp('/ai-enhancement?result=a', { user: sari, size: [360, 640], api: server.routes })
  await expect.element(button('Unduh PNG')).toBeVisible()
  const bar = () => boxesOf('.studio-bar .btn').map(({ width, height }) => Math.min(width, height))
  expect(Math.min(...bar())).toBeGreaterThanOrEqual(44)
  for (const [width, height] of sizes) {
    await page.viewport(width, height)
    await setText(200)
    const lengths = boxesOf('.studio-options section:not(.hidden) .range').map((slider) => slider.width)
    expect(Math.min(...lengths), `sliders at ${width} × ${height}`).toBeGreaterThan(100)
    await setText(100)
  }
  await page.viewport(360, 640)
  await setText(200)
  await button('Unduh dalam format lain').click()
  await expect.element(button('Tutup')).toBeVisible()
  expect(brokenWords('dialog[open] button span')).toEqual([])
  await setText(100)
  const [close] = boxesOf('dialog[open] h2 + .btn')
  expect(Math.min(close?.width ?? 0, close?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await button('Tutup').click()

  await setText(200)
  ;(page.getByRole('separator', { name: 'Tinggi panel pilihan' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Home}')
  await expect.element(button(/^Bagikan$/)).toBeInViewport({ ratio: 1 })
  await userEvent.keyboard('{Enter}')
})

it('gives the words on colour hints a row of their own in large text', async () => {
  await openApp('/ai-colorizer', { user: sari, size: [360, 640], api: new GenerationServer().routes })
  await choose(await pictureFile(512, 600, 'abu.png', '#8a8a8a'))
  await button('Petunjuk warna').click()
  const words = page.getByText(/^Pilih warna, lalu/)
  await expect.element(words).toBeVisible()
  const { width } = words.element().getBoundingClientRect()
  await setText(200)
  expect(words.element().getBoundingClientRect().width).toBeGreaterThan(width)
})

it('keeps options and their names in view while credits are missing for two photos, also in large text', async () => {
  const server = new GenerationServer()
  server.credits = 7
  await openApp('/ai-headshot', { user: sari, size: [360, 640], api: server.routes })
  await choose(await pictureFile(512, 600), await pictureFile(512, 600))
  await expect.element(button('Proses 1 sekarang')).toBeVisible()
  for (const [width, height, percent] of [
    [360, 640, 100],
    [390, 844, 200],
  ] as const) {
    await page.viewport(width, height)
    await setText(percent)
    const [options] = boxesOf('.studio-options')
    const [name] = boxesOf('.studio-options fieldset > button[aria-pressed] > span:last-child')
    expect.soft(name?.bottom, `at ${width} × ${height}`).toBeLessThanOrEqual(options?.bottom ?? 0)
    expect
      .soft(button('Proses 1 sekarang').element().getBoundingClientRect().bottom)
      .toBeLessThanOrEqual(window.innerHeight)
  }
})

it.each(['/ai-headshot', '/ai-background-diffusion', '/passport-photo'])(
  'keeps the names of the choices of %s whole and apart in each size',
  async (route) => {
    await openApp(route, { user: sari, api: new GenerationServer().routes })
    await choose(await pictureFile(512, 600))
    await expect.poll(() => document.querySelector('.studio-layout')).not.toBeNull()
    const captions = () => [
      ...document.querySelectorAll('.studio-options fieldset > button[aria-pressed] > span:last-child'),
    ]
    await expect.poll(() => captions().length).toBeGreaterThan(5)
    for (const [width, height] of sizes) {
      await page.viewport(width, height)
      for (const percent of [100, 200]) {
        await setText(percent)
        const what = `${width} × ${height} at ${percent} %`
        const cut = captions().filter(
          (caption) =>
            getComputedStyle(caption).overflowX !== 'visible' && caption.scrollWidth > caption.clientWidth + 1,
        )
        expect
          .soft(
            cut.map(({ textContent }) => textContent),
            `cut in ${what}`,
          )
          .toEqual([])
        const places = captions().map((caption) => ({ name: caption.textContent, box: textBox(caption) }))
        const touching = places.flatMap(({ name, box }, index) => {
          const next = places[index + 1]
          return next && next.box.top < box.bottom && next.box.bottom > box.top && next.box.left < box.right
            ? [`${name} and ${next.name}`]
            : []
        })
        expect.soft(touching, `overlap in ${what}`).toEqual([])
      }
    }
  },
)

it.each(desktops)(
  'keeps the samples of an empty tool above its guide at %i × %i, also in large text',
  async (width, height) => {
    await openApp('/ai-background-removal', { user: sari, size: [width, height] })
    const sample = button('Contoh: kucing')
    await expect.element(sample).toBeVisible()
    for (const percent of [100, 200]) {
      await setText(percent)
      const [guide] = boxesOf('#guide')
      expect(sample.element().getBoundingClientRect().bottom, `${percent} %`).toBeLessThan(guide?.top ?? 0)
    }
  },
)

it('shows the button for a photo above the dock and tools of the menu in large text', async () => {
  await openApp('/ai-background-removal', { user: sari, language: 'en', size: [360, 640] })
  const choosePhoto = page.getByLabelText('Your photo').getByText('Choose a photo', { exact: true })
  await expect.element(choosePhoto).toBeVisible()
  await setText(200)
  const [dock] = boxesOf('nav.dock')
  expect(choosePhoto.element().getBoundingClientRect().bottom).toBeLessThan(dock?.top ?? 0)
  await page.viewport(844, 390)
  const { left, right } = choosePhoto.element().getBoundingClientRect()
  const label = textBox(choosePhoto.element())
  expect(label.left >= left && label.right <= right, 'words within their button').toBe(true)
  await page.getByRole('navigation').getByRole('button', { name: 'Tools' }).click()
  await expect
    .poll(() => boxesOf('#tool-menu a').filter(({ bottom }) => bottom < innerHeight - 8).length)
    .toBeGreaterThan(3)
})

it('mentions no missing upload while an object is to be marked on the chosen photo', async () => {
  const found: PhotoCheckView = {
    credits: 5,
    facts: {},
    faces: [],
    warnings: [],
    checks: [],
    problems: [{ path: 'mask', code: 'upload.missing', msg: 'Unggah gambar dulu, ya.' }],
  }
  const server = new GenerationServer()
  const { api } = await openApp('/ai-object-removal', {
    user: sari,
    api: { ...server.routes, 'POST /api/tools/*/check': found },
  })
  await choose(await pictureFile(512, 600))
  await expect.poll(() => api.calls.some(({ path }) => path.endsWith('/check'))).toBe(true)
  await expect.element(button(/^Hapus objek/)).toBeVisible()
  await new Promise(requestAnimationFrame)
  await expect.element(page.getByText('Unggah gambar dulu, ya.')).not.toBeInTheDocument()
})

it('shows a shared picture large enough on a phone on its side and in large text', async () => {
  const shared: SharedResult = {
    tool: 'background-removal',
    result: { url: '/samples/coffee.avif', width: 720, height: 480, contentType: 'image/avif' },
    original: null,
    place: null,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  }
  await openApp('/shared/abc', { size: [844, 390], api: { 'POST /api/shared_results/*/open': shared } })
  const picture = page.getByRole('img', { name: 'Hasil edit' })
  await expect.element(picture).toBeVisible()
  const height = () => picture.element().getBoundingClientRect().height
  await expect.poll(height).toBeGreaterThan(200)
  await page.viewport(1440, 900)
  await setText(200)
  await expect.poll(height).toBeGreaterThan(400)
  expect(elementsBeyond(innerWidth)).toEqual([])
})
