import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { apiKeyRate } from '#shared/api-key.ts'
import { createApiKey, servePicture } from '#tests/support/api-key.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createFakeEngine, fail, succeed } from '#tests/support/fake-engine.ts'
import { creditsOf, makePicture, stopOpenGenerations } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import type { EngineTask } from '#tools/threads/task.ts'

const picture = await makePicture('#206040', 400, 300)
const files = await servePicture(picture)
const address = `http://${files.host}/foto.png`

const engine = createFakeEngine()
let app: TestApp
let user: TestUser
let key: string

beforeAll(async () => {
  app = await createTestApp({ engine, env: { FETCH_PRIVATE_HOSTS: files.host } })
})
afterAll(async () => {
  files.stop()
  await app.stop()
})
beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
  key = (await createApiKey(user, { scopes: ['run', 'balance'] })).key
})
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

function sendForm(fields: Record<string, string>, apiKey = key): Promise<Response> {
  const body = new FormData()
  body.set('image_file', new Blob([picture]), 'foto.png')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return app.request('/v1.0/removebg', { method: 'POST', body, headers: { 'x-api-key': apiKey } })
}

const sendJson = (json: object) =>
  app.request('/v1.0/removebg', { json, headers: { 'x-api-key': key, accept: 'application/json' } })

const sentParams = () => (engine.tasks.at(-1) as EngineTask).params as Record<string, unknown>

describe('POST /v1.0/removebg', () => {
  test('takes a form and returns the file with its size and price', async () => {
    const answer = await sendForm({ size: 'auto' })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('output of')])
    const headers = ['content-type', 'x-width', 'x-height', 'x-credits-charged', 'x-type']
    expect(headers.map((name) => answer.headers.get(name))).toEqual(['image/png', '40', '30', '5', 'other'])
    expect(await creditsOf(user)).toBe(20)
  })

  test('tells the box of the subject in the result, in headers and in JSON', async () => {
    engine.behave(async (task, options) => {
      const places = [{ scale: 0.1, angle: 0, x: 2, y: -1 }]
      return {
        ...(await succeed(task, options)),
        facts: { foreground: { x: 50, y: 60, width: 200, height: 220 }, places },
      }
    })
    const answer = await sendForm({})
    const names = ['top', 'left', 'width', 'height']
    expect(names.map((name) => answer.headers.get(`x-foreground-${name}`))).toEqual(['5', '7', '20', '22'])
    const { data } = (await (await sendJson({ image_url: address })).json()) as { data: Record<string, number> }
    expect(names.map((name) => data[`foreground_${name}`])).toEqual([5, 7, 20, 22])
  })

  test.each<[Record<string, string>, 'person' | 'thing', string | null]>([
    [{}, 'person', 'person'],
    [{}, 'thing', 'other'],
    [{ type: 'car' }, 'thing', 'car'],
    [{ type: 'graphic' }, 'thing', 'other'],
    [{ type: 'graphic', type_level: '2' }, 'thing', 'graphics'],
    [{ type: 'transportation', type_level: 'latest' }, 'thing', 'transportation'],
    [{ type_level: 'none' }, 'person', null],
  ])('names the type for %o of a %s', async (fields, kind, type) => {
    engine.behave(async (task, options) => ({ ...(await succeed(task, options)), facts: { kind } }))
    expect((await sendForm(fields)).headers.get('x-type')).toBe(type)
  })

  test('ignores fields that it does not know, in a form and in JSON', async () => {
    expect((await sendForm({ upscale: 'true', size: 'auto' })).status).toBe(200)
    expect((await sendJson({ image_url: address, upscale: { factor: 2 } })).status).toBe(200)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field_${index}`, 'x']))
    expect((await sendForm(many)).status).toBe(400)
  })

  test.each([
    ['an address', () => ({ image_url: address })],
    ['base64', () => ({ image_file_b64: Buffer.from(picture).toString('base64') })],
  ])('takes %s in JSON and returns base64', async (_, source) => {
    const answer = await sendJson({ ...source(), size: 'full', crop: false, scale: null })
    expect(answer.status).toBe(200)
    const { data } = (await answer.json()) as { data: { result_b64: string } }
    expect(Buffer.from(data.result_b64, 'base64').toString()).toContain('output of')
  })

  test('sends colours and matte apart in a ZIP', async () => {
    engine.behave(async (task, options) => {
      const done = await succeed(task, options)
      const part = (label: string, contentType: string) => ({ ...done.outputs[0]!, label, contentType })
      return { ...done, outputs: [part('color', 'image/jpeg'), part('alpha', 'image/png')] }
    })
    const answer = await sendForm({ format: 'zip' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(answer.headers.get('x-credits-charged')).toBe('5')
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    expect(text.startsWith('PK')).toBe(true)
    expect(text.match(/color\.jpg|alpha\.png/g)).toEqual(['color.jpg', 'alpha.png', 'color.jpg', 'alpha.png'])
  })

  test('takes URL-encoded fields', async () => {
    const body = new URLSearchParams({ image_url: address })
    const answer = await app.request('/v1.0/removebg', { method: 'POST', body, headers: { 'x-api-key': key } })
    expect(answer.status).toBe(200)
  })

  test.each<[Record<string, string>, Record<string, unknown>]>([
    [{}, { subject: 'auto', format: 'png', background: { type: 'transparent' }, maxPixels: 250_000 }],
    [{ size: '4k', type: 'person' }, { subject: 'person' }],
    [
      { type: 'product', bg_color: '81d4fa' },
      { subject: 'object', background: { type: 'color', color: '#81d4fa' }, format: 'jpeg' },
    ],
    [
      { bg_color: '#f00', format: 'png' },
      { background: { type: 'color', color: '#ff0000' }, format: 'png' },
    ],
    [{ format: 'jpg' }, { background: { type: 'color', color: '#ffffff' }, format: 'jpeg' }],
    [
      { crop: 'true', crop_margin: '10%' },
      {
        crop: true,
        margins: { top: { share: 0.1 }, right: { share: 0.1 }, bottom: { share: 0.1 }, left: { share: 0.1 } },
      },
    ],
    [
      { crop: 'true', crop_margin: '30px 5%' },
      { margins: { top: { pixels: 30 }, right: { share: 0.05 }, bottom: { pixels: 30 }, left: { share: 0.05 } } },
    ],
    [
      { crop: 'true', crop_margin: '1px 2px 50% 500px' },
      { margins: { top: { pixels: 1 }, right: { pixels: 2 }, bottom: { share: 0.5 }, left: { pixels: 500 } } },
    ],
    [{ crop: 'true' }, { margins: { top: { pixels: 0 }, left: { pixels: 0 } } }],
    [{ roi: '10% 0% 60% 50%' }, { box: { x: 40, y: 0, width: 200, height: 150 } }],
    [{ roi: '0% 0% 100% 100%' }, { subject: 'auto' }],
    [
      { channels: 'alpha', add_shadow: 'true' },
      { channels: 'alpha', shadow: true },
    ],
    [
      { shadow_type: '3D', shadow_opacity: '80' },
      { shadow: true, shadowOpacity: 0.8 },
    ],
    [{ shadow_type: 'none', add_shadow: 'true', shadow_opacity: 'auto' }, { shadow: false }],
    [{ scale: '80%' }, { position: { scale: 0.8, x: 0.5, y: 0.5 } }],
    [{ scale: '50%', position: '0% 100%' }, { position: { scale: 0.5, x: 0, y: 1 } }],
    [{ position: 'center' }, { position: { x: 0.5, y: 0.5 } }],
    [{ bg_color: 'ff000080' }, { background: { type: 'color', color: '#ff000080' }, format: 'png' }],
    [
      { bg_color: 'ff000080', format: 'jpg' },
      { background: { type: 'color', color: '#ff7f7f' }, format: 'jpeg' },
    ],
    [{ format: 'zip' }, { channels: 'separate', format: 'png' }],
  ])('understands %o', async (fields, params) => {
    expect((await sendForm(fields)).status).toBe(200)
    expect(sentParams()).toMatchObject(params)
  })

  test.each([
    [{ size: 'huge' }, 'invalid_size'],
    [{ bg_color: 'bluish' }, 'invalid_bg_color'],
    [{ roi: '0px 0px 900px 900px' }, 'invalid_roi'],
    [{ format: 'gif' }, 'invalid_format'],
    [{ position: 'upper' }, 'invalid_position'],
    [{ scale: '5%' }, 'invalid_scale'],
    [{ type_level: '3' }, 'invalid_type_level'],
    [{ shadow_type: 'neon' }, 'invalid_shadow_type'],
    [{ shadow_opacity: '120' }, 'invalid_shadow_opacity'],
    [{ semitransparency: 'maybe' }, 'invalid_semitransparency'],
    [{ crop_margin: '51%' }, 'invalid_crop_margin'],
    [{ crop_margin: '501px' }, 'invalid_crop_margin'],
    [{ crop_margin: '1px 2px 3px' }, 'invalid_crop_margin'],
    [{ crop_margin: '-5px' }, 'invalid_crop_margin'],
    [{ image_url: address }, 'multiple_sources'],
    [{ size: 'constructor' }, 'invalid_size'],
    [{ image_url: 'http://10.0.0.1/a.png' }, 'failed_to_read_image_url'],
  ])('refuses %o, and charges nothing', async (fields, code) => {
    const answer = await sendForm(fields as Record<string, string>)
    expect([answer.status, await answer.json()]).toEqual([400, { errors: [{ title: expect.any(String), code }] }])
    expect(await creditsOf(user)).toBe(25)
  })

  test('asks for a picture, and refuses to collect one', async () => {
    const missing = await sendJson({ size: 'auto' })
    expect([missing.status, await missing.json()]).toMatchObject([400, { errors: [{ code: 'missing_source' }] }])
    const improve = await app.request('/v1.0/improve', { json: {}, headers: { 'x-api-key': key } })
    expect([improve.status, await improve.json()]).toMatchObject([400, { errors: [{ code: 'not_supported' }] }])
  })

  test('tells the rate limit with results, refusals, and beyond the limit', async () => {
    const left = ({ headers }: Response) => ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))
    expect(left(await sendForm({}))).toEqual([String(apiKeyRate.limit), String(apiKeyRate.limit - 1)])
    expect(left(await sendForm({ size: 'huge' }))).toEqual([String(apiKeyRate.limit), String(apiKeyRate.limit - 2)])
    await app.deps.db.update(rateLimits).set({ hits: apiKeyRate.limit })
    const refused = await sendForm({})
    expect([refused.status, await refused.json()]).toMatchObject([429, { errors: [{ code: 'rate_limit_exceeded' }] }])
    expect(left(refused)).toEqual([String(apiKeyRate.limit), '0'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_700_000_000)
  })

  test('answers a wrong key, a picture without a subject, and missing credits like remove.bg', async () => {
    const codeOf = async (answer: Response) => {
      const { errors } = (await answer.json()) as { errors: { code: string }[] }
      return [answer.status, errors[0]?.code]
    }
    expect(await codeOf(await sendForm({}, 'wrong'))).toEqual([403, 'auth_failed'])
    engine.behave(fail('engine.no_subject'))
    expect(await codeOf(await sendForm({}))).toEqual([400, 'unknown_foreground'])
    expect(await creditsOf(user)).toBe(25)
    engine.behave(succeed)
    for (let runs = 0; runs < 5; runs++) await sendForm({})
    expect(await codeOf(await sendForm({}))).toEqual([402, 'insufficient_credits'])
  })
})

test('GET /v1.0/account has the credits', async () => {
  const answer = await app.request('/v1.0/account', { headers: { 'x-api-key': key } })
  expect(await answer.json()).toMatchObject({ data: { attributes: { credits: { total: 25 }, api: { sizes: 'all' } } } })
})
