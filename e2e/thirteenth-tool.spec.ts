import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { copySources } from '#tests/support/copy-sources.ts'
import { type Registry, registryLines, withTestTool } from '#tests/support/two-pictures/register.ts'
import { compilerMemory, typeCheck } from '../src/scripts/run.mjs'
import { api, createAccount, signInByApi } from './support/account.ts'
import { touchOf } from './support/fingers.ts'
import { expectMessage } from './support/messages.ts'
import { type RealServer, realServer } from './support/server.ts'
import { test } from './support/test.ts'

test.use({ serviceWorkers: 'allow' })
test.describe.configure({ mode: 'serial', timeout: 600_000 })

const fixture = join(import.meta.dirname, '..', 'tests', 'support', 'two-pictures')

let tree: string
let server: RealServer

/** The tool is added as documented: its folder, and a line with its import in each registry. */
test.beforeAll(() => {
  tree = copySources()
  cpSync(fixture, join(tree, 'src/tools/two-pictures'), { recursive: true })
  for (const file of ['register.ts', 'types.ts']) rmSync(join(tree, 'src/tools/two-pictures', file))
  // Expects the tool to be missing.
  rmSync(join(tree, 'tests/support/two-pictures/types.ts'))
  for (const registry of Object.keys(registryLines) as Registry[]) {
    change(registry, (code) => withTestTool(registry, code, './two-pictures'))
  }
  // Fast compression, since no phone loads this build.
  const bundle = join(tree, 'src/build/bundle.ts')
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replace(/brotliQuality = .*/, 'brotliQuality = 1'))
  writeFileSync(join(tree, 'src/build/link-pictures.ts'), noPictures)
})
test.afterAll(async () => {
  await server?.dispose()
  rmSync(tree, { recursive: true, force: true })
})

/** Drawing link previews is a quarter of the build's work. */
const noPictures = `export const linkPictureSize = { width: 1, height: 1 }
export const drawLinkPicture = async (_picture: unknown) => Buffer.of(0)
`

function change(registry: string, edit: (code: string) => string): void {
  const file = join(tree, 'src/tools', registry)
  writeFileSync(file, edit(readFileSync(file, 'utf8')))
}

const run = (command: string, ...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(join(tree, 'node_modules', '.bin', command), args, {
    cwd: tree,
    encoding: 'utf8',
    env: { ...process.env, ...compilerMemory },
  })

/** A copy of the tool without a part of one of its files. */
function copyWithout(piece: string, file: string): void {
  const folder = join(tree, 'src/tools', `without-${piece}`)
  cpSync(fixture, folder, { recursive: true })
  const whole = readFileSync(join(folder, file), 'utf8')
  const rest = whole.replace(new RegExp(`^ {2}${piece}: .*\n( {4}.*\n)*( {2}}.*\n)?`, 'm'), '')
  expect(rest).not.toBe(whole)
  writeFileSync(join(folder, file), rest)
}

test('without its icon, texts, route or page the type check fails and names the missing part', { tag: '@soak' }, () => {
  // A copy for each part that can be missing, so that one check finds them all.
  const page = 'ui/page.tsx'
  const pieces = { icon: page, labels: page, panel: page, route: 'contract/definition.ts' }
  for (const [piece, file] of Object.entries(pieces)) copyWithout(piece, file)
  // Also a tool with nothing but a contract.
  const contracts = join(tree, 'src/tools/contracts.ts')
  const whole = readFileSync(contracts, 'utf8')
  change('contracts.ts', (code) =>
    code.replace(/^ {2}'two-pictures': .*$/m, '$&\n  unregistered: defineTool(twoPictures, twoPicturesOptions),'),
  )

  const complaints = run('tsc', ...typeCheck, '--pretty', 'false').stdout.split(/^(?=\S)/m)
  const paths = Object.entries(pieces).map(([piece, file]) => `without-${piece}/${file}`)
  const missing = [...Object.keys(pieces), 'unregistered', 'unregistered']
  for (const [index, path] of [...paths, 'pages.ts', 'engines.ts'].entries()) {
    const about = complaints.filter((text) => text.startsWith(`src/tools/${path}`)).join('')
    expect(about).toContain(`Property '${missing[index]}' is missing`)
  }
  const others = complaints.filter((text) => !/^src\/tools\/(without-|pages\.ts|engines\.ts)/.test(text))
  expect(others).toEqual([])

  writeFileSync(contracts, whole)
  for (const piece of Object.keys(pieces)) rmSync(join(tree, `src/tools/without-${piece}`), { recursive: true })
})

test('two named inputs, a stage to draw on and three outputs work in the studio, the history and the queue', {
  tag: '@soak',
}, async ({ page, context }) => {
  // tests/catalogues.test.ts extracts the messages of all other sources.
  expect(
    run('lingui', 'extract', '--config', 'locale/lingui.config.ts', '--workers', '1', 'src/tools/two-pictures').status,
  ).toBe(0)
  const build = run('vite', 'build')
  expect(build.status, build.stderr).toBe(0)
  server = await realServer({ root: tree })
  await server.start()
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)

  await page.goto(server.origin)
  await page.getByRole('button', { name: 'Alat' }).tap()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Dua Foto/ })
    .tap()
  await expect(page).toHaveURL(`${server.origin}/two-pictures`)

  await chooseFirst(page, await plain('red.png', '#d02020'))
  await expect(page.getByRole('region', { name: 'Foto pertama' }).getByRole('img')).toBeVisible()
  await page.getByRole('button', { name: /^Gabungkan/ }).tap()
  await expectMessage(page, 'Pilih dulu: Foto kedua')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih Foto kedua' }).tap(),
  ])
  await chooser.setFiles(await plain('blue.png', '#2040d0'))
  await expect(page.getByRole('list', { name: 'Foto kedua' }).getByRole('img')).toBeVisible()

  await page.getByText('Kuas', { exact: true }).tap()
  const area = page.getByRole('application')
  await expect(area).toBeVisible()
  const box = (await area.boundingBox())!
  const fingers = await touchOf(page)
  const at = (share: number) => ({ x: box.x + share * box.width, y: box.y + box.height / 2 })
  await fingers('touchStart', at(0.1))
  for (let step = 1; step <= 8; step++) await fingers('touchMove', at(0.1 + 0.04 * step))
  await fingers('touchEnd')
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  await expect(page.getByRole('button', { name: /^Gabungkan/ })).toHaveText(/5 kredit/)

  // The app is stored on the device, so a request waits in the queue while offline.
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect(page.getByText('Pilih dulu: Foto kedua')).toBeHidden()
  await context.setOffline(true)
  // The offline line moves the content below.
  await expect(page.getByText('Kamu sedang offline.').first()).toBeVisible()
  await page.getByRole('button', { name: /^Gabungkan/ }).tap()
  await expect(page.getByText('Menunggu koneksi').first()).toBeVisible()
  await context.setOffline(false)
  const outputs = page.getByRole('list', { name: 'Semua hasil' })
  await expect(outputs.getByRole('button')).toHaveCount(3)
  await expect(page.getByText('Nomor variasi 13')).toBeVisible()
  const [made, ...others] = (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items
  expect(others).toEqual([])
  expect(made).toMatchObject({ tool: 'two-pictures', credits: 5 })
  expect(made?.inputs.map(({ input }) => input)).toEqual(['first', 'second'])
  expect(made?.outputs.map(({ label }) => label)).toEqual(['Campuran', 'Bertanda', 'Kebalikan'])

  // Without kept layers, another option still renders again for free.
  const rendered = page.waitForResponse((response) => response.url().endsWith('/render'))
  await page.getByRole('slider', { name: 'Campuran' }).fill('100')
  expect((await rendered).ok()).toBe(true)
  await expect(page.getByText('Hasil siap')).toBeAttached()
  await outputs.getByRole('button', { name: 'Bertanda' }).tap()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh PNG' }).tap(),
  ])
  const marked = await sharp(await download.path())
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixel = (x: number, y: number) => {
    const start =
      marked.info.channels *
      (Math.round(y * marked.info.height) * marked.info.width + Math.round(x * marked.info.width))
    return [...marked.data.subarray(start, start + 3)]
  }
  expect(pixel(0.25, 0.5)).toEqual([0x20, 0x40, 0xd0])
  expect(pixel(0.8, 0.5)).toEqual([0xd0, 0x20, 0x20])
  await page.getByRole('button', { name: 'Unduh dalam format lain' }).tap()
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh semua (ZIP)' }).tap(),
  ])
  expect(zip.suggestedFilename()).toBe('two-pictures.zip')

  // A result continues in another tool.
  await page.getByRole('button', { name: 'Pilihan lain' }).tap()
  await page.getByRole('button', { name: 'Pakai di alat lain' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Hapus Latar' }).tap()
  await expect(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()

  // The history opens it with the tool's own panel.
  await page.goto(`${server.origin}/history`)
  await page
    .getByRole('list', { name: 'Hasil' })
    .getByRole('button', { name: /^Selesai/ })
    .tap()
  await expect(page.getByRole('slider', { name: 'Campuran' })).toHaveValue('100')
  await expect(page.getByRole('list', { name: 'Semua hasil' }).getByRole('button')).toHaveCount(3)
})

async function plain(name: string, background: string) {
  const buffer = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

async function chooseFirst(page: Page, file: Awaited<ReturnType<typeof plain>>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles(file)
}
