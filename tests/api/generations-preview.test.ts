import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { previewMaxBytes } from '#features/generations/rules.ts'
import type { PreviewView } from '#features/generations/schemas.ts'
import { generations } from '#features/generations/server/table.ts'
import { sweepFiles } from '#features/uploads/server/stored-files.ts'
import { uploads } from '#features/uploads/server/table.ts'
import type { ToolId } from '#tools/contracts.ts'
import { countHits } from '../support/count-hits.ts'
import { runTool, toolPool } from '../support/run-tool.ts'
import { damagedPicture, makePicture } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let portrait: Uint8Array<ArrayBuffer>
let colourful: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  app = await createTestApp()
  colourful = await makePicture('#c02060', 32, 32)
  portrait = new Uint8Array(
    await sharp(readFileSync('tests/fixtures/photos/astronaut.jpg'))
      .resize(256, 256, { fit: 'inside' })
      .jpeg()
      .toBuffer(),
  )
})
afterAll(() => app.stop())

interface Asked {
  tool?: string
  params?: unknown
  files?: [string, Uint8Array<ArrayBuffer>][]
  from?: string
  cookie?: string
}

async function preview({ tool = 'background-removal', params, files, from = '203.0.113.7', cookie }: Asked = {}) {
  const given = new FormData()
  if (params !== undefined) given.set('params', JSON.stringify(params))
  for (const [input, bytes] of files ?? [['picture', portrait]]) given.append(input, new Blob([bytes]), 'foto.jpg')
  const form = new Response(given)
  const headers = { 'content-type': form.headers.get('content-type') ?? '', ...(cookie && { cookie }) }
  const body = await form.arrayBuffer()
  return app.request(`/api/tools/${tool}/preview`, { method: 'POST', body, from, headers })
}
const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

async function storedPreviews() {
  const keys: string[] = []
  for await (const key of app.deps.store.list('previews/')) keys.push(key)
  return keys
}

test('a visitor sees a real cut-out, with their options, for free, and the server stores nothing of it', async () => {
  const response = await preview()
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { outputs } = (await response.json()) as PreviewView
  const cut = sharp(Buffer.from(outputs[0]?.data ?? '', 'base64'))
  expect(await cut.metadata()).toMatchObject({ format: 'webp', hasAlpha: true, width: outputs[0]?.width })
  const alpha = (await cut.raw().toBuffer()).filter((_, index) => index % 4 === 3)
  expect([alpha.includes(0), alpha.includes(255)]).toEqual([true, true])

  const red = await preview({ params: { background: { type: 'color', color: '#db1514' }, format: 'jpeg' } })
  const [flat] = ((await red.json()) as PreviewView).outputs
  const { data } = await sharp(Buffer.from(flat?.data ?? '', 'base64'))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const upper = data.filter((_, index) => index % 3 === 0 && index < data.length / 10).toSorted()
  expect(Math.abs((upper[upper.length / 2] ?? 0) - 0xdb)).toBeLessThan(36)

  expect(await storedPreviews()).toEqual([])
  expect(await app.deps.db.select().from(generations)).toEqual([])
  expect(await app.deps.db.select().from(uploads)).toEqual([])
  expect(await app.deps.db.select().from(ledgerEntries)).toEqual([])
})

/** PSNR in dB, of equal sizes. */
async function likeness(one: Uint8Array, other: Uint8Array): Promise<number> {
  const pixels = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer()
  const [first, second] = await Promise.all([pixels(one), pixels(other)])
  expect(first.length).toBe(second.length)
  const squares = first.reduce((sum, value, i) => sum + (value - (second[i] ?? 0)) ** 2, 0)
  return 10 * Math.log10((255 ** 2 * first.length) / squares)
}

const strokes = [
  {
    mode: 'keep',
    points: [53, 203, 69, 213],
    size: 21,
  },
]
test.each<[string, ToolId, object, string[]]>([
  ['the enhancer at four times the size', 'enhancement', { scale: 4 }, ['picture']],
  ['a page with a document to print', 'photo-layout', { shape: '4r', pdf: true }, Array(4).fill('pictures')],
  ['the removal of an object', 'object-removal', { strokes }, ['picture']],
])('of %s a visitor sees a small watermarked picture, not the paid result', async (_, tool, params, inputs) => {
  const files = inputs.map((input): [string, Uint8Array<ArrayBuffer>] => [input, portrait])
  const response = await preview({ tool, params, files, from: '198.51.100.60' })
  const { outputs } = (await response.json()) as PreviewView
  expect(outputs.map(({ contentType }) => contentType)).toEqual(['image/webp'])
  const [{ data = '', width = 0, height = 0 } = {}] = outputs
  expect(Math.max(width, height)).toBeLessThanOrEqual(640)

  const paid = await runTool(toolPool, tool, {
    params,
    inputs: { [inputs[0] ?? '']: files.map(([, bytes]) => bytes) },
  })
  const small = await sharp(paid.outputs[0]?.bytes).resize(width, height, { fit: 'fill' }).png().toBuffer()
  const alike = await likeness(Buffer.from(data, 'base64'), small)
  expect(alike).toBeGreaterThan(15)
  expect(alike).toBeLessThan(30)
})

test('the watermark of a picture depends on the server’s key alone', async () => {
  const sample = async (from: string) => {
    const files: [string, Uint8Array<ArrayBuffer>][] = [['picture', portrait]]
    const response = await preview({ tool: 'enhancement', files, from })
    return ((await response.json()) as PreviewView).outputs[0]?.data ?? ''
  }
  const first = await sample('198.51.100.61')
  expect(first).not.toBe('')
  expect(await sample('198.51.100.62')).toBe(first)

  const { jwtSecret } = app.deps.config
  app.deps.config.jwtSecret = new Uint8Array(32).fill(1)
  try {
    expect(await sample('198.51.100.63')).not.toBe(first)
  } finally {
    app.deps.config.jwtSecret = jwtSecret
  }
})

test('a preview is refused for the same reasons as a generation, before anything is computed', async () => {
  const large = await makePicture('#406080', 641, 300)
  const refusals: [Asked, string][] = [
    [{ files: [['picture', large]] }, 'upload.too_many_pixels'],
    [{ files: [] }, 'upload.missing'],
    [
      {
        files: [
          ['picture', portrait],
          ['picture', portrait],
        ],
      },
      'upload.too_many',
    ],
    [{ files: [['nothing', portrait]] }, 'upload.too_many'],
    [{ files: [['picture', new TextEncoder().encode('no picture')]] }, 'upload.not_image'],
    [{ params: { format: 'gif' } }, 'params.invalid'],
    [{ params: { background: { type: 'image' } } }, 'upload.missing'],
    [{ tool: 'nothing' }, 'tool.unknown'],
    [{ files: [['picture', new Uint8Array(previewMaxBytes + 32_000)]] }, 'upload.too_large'],
  ]
  for (const [index, [asked, code]] of refusals.entries()) {
    expect(await codeOf(await preview({ ...asked, from: `198.51.100.${index}` }))).toBe(code)
  }
  expect(await storedPreviews()).toEqual([])
})

test('a picture that cannot be decoded fails in the engine, with a reason, and leaves nothing behind', async () => {
  const broken = damagedPicture()
  // The header says 1000 × 1000, small enough for the engine.
  const response = await preview({ files: [['picture', broken]], from: '198.51.100.40' })
  expect([await codeOf(response), response.status < 500]).toEqual([expect.stringMatching(/^upload\./), true])
  expect(await storedPreviews()).toEqual([])
})

test('tools that process faces, and long ones, require an account', async () => {
  expect(await codeOf(await preview({ tool: 'cartoonizer', from: '198.51.100.50' }))).toBe('consent.required')
  const video = await preview({ tool: 'video-background-removal', from: '198.51.100.51' })
  expect(await codeOf(video)).toBe('auth.required')
})

test('files left by a dead server are deleted within hours, and files of others stay', async () => {
  const remove = vi.spyOn(app.deps.store, 'delete').mockRejectedValueOnce(new Error('the process died'))
  expect((await preview({ from: '198.51.100.52' })).status).toBe(200)
  remove.mockRestore()
  await app.deps.store.put('avatars/other-user', portrait)
  await sweepFiles(app.deps)
  expect(await storedPreviews()).not.toEqual([])
  app.clock.advance({ hours: 2 })
  await sweepFiles(app.deps)
  expect(await storedPreviews()).toEqual([])
  expect((await app.deps.store.get('avatars/other-user')).length).toBe(portrait.length)
})

const spent = (): Asked => ({ tool: 'colorizer', files: [['picture', colourful]] })
const limited = 'request.rate_limited'

test('previews are limited by device, and only the server issues device ids', async () => {
  const first = await preview({ ...spent(), from: '192.0.2.1' })
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] as string
  expect(first.headers.getSetCookie()[0]).toMatch(/visitor=.*HttpOnly; SameSite=Strict/)
  const again = async (from: string) => (await codeOf(await preview({ ...spent(), from, cookie }))) === limited
  expect(await again('192.0.2.2')).toBe(false)
  await countHits(app.deps.db, 'preview:device', 28)
  expect([await again('192.0.2.3'), await again('192.0.2.4')]).toEqual([false, true])

  // An invented number counts as a new device, of which an address may have few.
  const from = '203.0.114.9'
  const madeUp = async (number: number) => {
    const cookie = `visitor=${String(number).padStart(22, 'A')}`
    return (await codeOf(await preview({ ...spent(), from, cookie }))) === limited
  }
  expect(await madeUp(1)).toBe(false)
  await countHits(app.deps.db, 'preview:new-device', 58)
  expect([await madeUp(2), await madeUp(3)]).toEqual([false, true])
  const refused = await preview({ ...spent(), from })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  app.clock.advance({ minutes: 61 })
  expect(await codeOf(await preview({ ...spent(), from }))).not.toBe(limited)
})

test('malformed calls use up no preview of other visitors, from any address', async () => {
  const from = '2001:db8:77:1::5'
  const nothing = { files: [] }
  for (let i = 0; i < 60; i++) expect(await codeOf(await preview({ ...nothing, from }))).toBe('upload.missing')
  for (let i = 0; i < 240; i++) await preview({ ...nothing, from: `2001:db8:${(i % 40) + 1}:${i}::1` })
  expect(await codeOf(await preview({ ...spent(), from }))).not.toBe(limited)
  expect(await codeOf(await preview({ ...spent(), from: '198.51.101.1' }))).not.toBe(limited)
})

test('the many networks of one customer share one limit', async () => {
  const isLimited = async (from: string) => (await codeOf(await preview({ ...spent(), from }))) === limited
  expect(await isLimited('2001:db8:99:1::1')).toBe(false)
  await countHits(app.deps.db, 'preview:network', 358)
  expect([await isLimited('2001:db8:99:2::1'), await isLimited('2001:db8:99:3::1')]).toEqual([false, true])
  expect(await isLimited('2001:db8:98:1::1')).toBe(false)
})

test('many previews of a network delay another network by two at most', async () => {
  const done: string[] = []
  const ask = async (from: string) => {
    const response = await preview({ tool: 'enhancement', from })
    done.push(response.status === 200 ? from : `${from} ${response.status}`)
  }
  const many = Array.from({ length: 8 }, (_, i) => ask(`2001:db8:55:${i}::1`))
  await expect.poll(async () => (await storedPreviews()).length, { timeout: 300_000 }).toBeGreaterThanOrEqual(8)
  await ask('198.51.102.1')
  expect(done.indexOf('198.51.102.1')).toBeLessThanOrEqual(3)
  await Promise.all(many)
  expect(done).toHaveLength(9)
})
