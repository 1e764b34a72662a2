import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminPreset, AdminPresetList, PresetList } from '#features/presets/schemas.ts'
import { auditLog } from '#server/audit/table.ts'
import { consentVersions } from '#shared/consent.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { readGeneration, refusal, submit, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { passportPresets } from '#tools/passport-photo/contract/presets.ts'

let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

async function consenting(): Promise<TestUser> {
  const user = await app.createUser()
  await user.request('/api/user/consents', { json: { kind: 'biometric', version: consentVersions.biometric } })
  return user
}
const path = '/api/admin/passport_presets'
const offered = async () => ((await (await app.request('/api/passport_presets')).json()) as PresetList).items
const all = async () => ((await (await admin.request(path)).json()) as AdminPresetList).items
const find = async (id: string) => (await all()).find((preset) => preset.id === id) as AdminPreset
const set = (id: string, change: object) => admin.request(`${path}/${id}`, { method: 'PUT', json: change })
const asInput = ({ id: _, history: __, ...preset }: AdminPreset) => preset

test('until they are changed, the presets are the built-in ones, for visitors too', async () => {
  expect(await offered()).toEqual(passportPresets)
  expect((await all()).every(({ version, history }) => version === 0 && history.length === 0)).toBe(true)
})

test('a changed preset counts for the next photo, and finished photos keep their rule', async () => {
  const user = await consenting()
  const make = async () => (await submitted(user, { tool: 'passport-photo', params: { preset: 'sscasn' } })).id
  const ruleOf = async (id: string) => (await readGeneration(user, id)).params.rule
  const before = await find('sscasn')
  const first = await make()
  expect(await ruleOf(first)).toEqual(before.rule)

  const rule = { ...before.rule, kilobytes: { min: 50, max: 150 } }
  expect((await set('sscasn', { ...asInput(before), rule })).status).toBe(200)
  const after = await find('sscasn')
  expect(after).toMatchObject({ rule, history: [{ rule, by: admin.id }] })
  expect((await offered()).find(({ id }) => id === 'sscasn')?.rule).toEqual(rule)
  expect(await ruleOf(await make())).toEqual(rule)
  expect(await ruleOf(first)).toEqual(before.rule)
  const entries = await app.deps.db.select().from(auditLog).where(eq(auditLog.action, 'preset.changed'))
  expect(entries).toMatchObject([{ actorId: admin.id, before: { rule: before.rule }, after: { rule } }])
})

test('sheets use the rules of the presets that they name', async () => {
  const before = await find('3x4')
  const rule = { ...before.rule, dpi: 400 }
  expect((await set('3x4', { ...asInput(before), rule })).status).toBe(200)
  const sheets = [
    {
      paper: '4r',
      photos: [
        { preset: 'this', count: 1 },
        { preset: '3x4', count: 0 },
      ],
    },
  ]
  const user = await consenting()
  const { id } = await submitted(user, { tool: 'passport-photo', params: { preset: '4x6', sheets } })
  expect((await readGeneration(user, id)).params.sheets).toMatchObject([{ photos: [{ preset: 'this' }, { rule }] }])
})

test('of two admins who change the same preset, the second is informed, and their change is not stored', async () => {
  const seen = asInput(await find('ktp'))
  const changes = await Promise.all([set('ktp', { ...seen, position: 5 }), set('ktp', { ...seen, position: 6 })])
  expect(changes.map(({ status }) => status).sort()).toEqual([200, 409])
  const late = changes.find(({ status }) => status === 409) as Response
  expect(await refusal(late)).toEqual([409, 'change.outdated'])
  expect((await find('ktp')).history).toHaveLength(1)
})

test('a new preset is offered once it is active, and a hidden one still makes photos', async () => {
  const preset = { ...asInput(await find('2x3')), name: { id: 'BUMN', en: 'State company' }, position: 1, version: 0 }
  expect((await set('bumn', { ...preset, active: false })).status).toBe(200)
  expect((await offered()).some(({ id }) => id === 'bumn')).toBe(false)
  const { version } = await find('bumn')
  expect((await set('bumn', { ...preset, version })).status).toBe(200)
  expect((await offered())[0]).toMatchObject({ id: 'bumn', name: { en: 'State company' } })
  const taken = await set('bumn', preset)
  expect([taken.status, ((await taken.json()) as { details: object }).details]).toEqual([422, { id: 'preset.idTaken' }])
  const hidden = await find('hajj')
  expect((await set('hajj', { ...asInput(hidden), active: false })).status).toBe(200)
  expect((await submit(await consenting(), { tool: 'passport-photo', params: { preset: 'hajj' } })).status).toBe(201)
})

test.each([
  ['a head larger than the photo', { rule: { head: { min: 0.5, max: 1.2 } } }, 'rule.head.max'],
  ['the greatest head less than the least', { rule: { head: { min: 0.6, max: 0.5 } } }, 'rule.head.max'],
  ['no width', { rule: { width: null } }, 'rule.width'],
  ['a million dots per inch', { rule: { dpi: 1_000_000 } }, 'rule.dpi'],
  ['a file that must be larger than it may be', { rule: { kilobytes: { min: 300, max: 80 } } }, 'rule.kilobytes.max'],
  ['no name in English', { name: { id: 'Nama', en: ' ' } }, 'name.en'],
  ['a date that is none', { source: { name: 'Kantor', date: 'kemarin' } }, 'source.date'],
  ['an unknown background', { background: 'green' }, 'background'],
])(
  '%s is refused beside its field, and nothing changes',
  async (_, { rule, ...change }: Record<string, unknown>, field) => {
    const before = await find('4x6')
    const given = { ...asInput(before), ...change, rule: { ...before.rule, ...(rule as object) } }
    const response = await set('4x6', given)
    const body = (await response.json()) as { code: string; details: Record<string, string> }
    expect([response.status, body.code, Object.keys(body.details)]).toEqual([422, 'form.invalid', [field]])
    expect(await find('4x6')).toEqual(before)
  },
)

test.each(['own', 'this', 'A', 'a b', 'x'.repeat(41)])('%j cannot be the id of a preset', async (id) => {
  const response = await set(encodeURIComponent(id), { ...asInput(await find('4x6')), version: 0 })
  expect(((await response.json()) as { details: object }).details).toEqual({ id: 'form.invalid' })
})
