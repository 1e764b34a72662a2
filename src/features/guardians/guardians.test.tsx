import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '#client/query.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { adultAge, guardianLink, minorAge, sari, usualRoutes } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'
import { ageQuery, ensureAllowedAge } from './app/guardians.ts'
import type { AgeView, GuardianLink } from './schemas.ts'

const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const sheet = page.getByRole('dialog')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const unknown: AgeView = { ...adultAge, birthYear: null, band: 'unknown', dueAt: inDays(14) }
const waiting = minorAge
const unnamed: AgeView = { ...minorAge, guardian: 'unnamed', guardianEmail: null }
const allowed: AgeView = { ...minorAge, guardian: 'given', closesAt: null }

/** The server's answer changes as a real one would. */
function openAs(first: AgeView, own: Record<string, unknown> = {}, path = '/history') {
  let age = first
  return openApp(path, {
    user: sari,
    api: {
      ...usualRoutes(sari, 25),
      'GET /api/user/age': () => age,
      'POST /api/user/age': ({ body }: ApiCall) => {
        const { birthYear, close } = body as { birthYear: number; close: boolean }
        if (birthYear > 2013 && !close) return refusal(422, 'age.below_minimum', 'Kamu masih terlalu muda.')
        age = birthYear < 2008 ? { ...adultAge, birthYear } : { ...unnamed, birthYear }
        return { ...age, closed: close }
      },
      'POST /api/user/guardian': ({ body }: ApiCall) => {
        age = { ...waiting, guardianEmail: (body as { email: string }).email }
        return age
      },
      ...(own as object),
    },
  })
}

describe('the banner', () => {
  it('asks an earlier account for the birth year without covering the page, and then never again', async () => {
    const { api } = await openAs(unknown)
    await text('Kamu lahir tahun berapa?').toBeVisible()
    expect(sheet.all()).toHaveLength(0)
    await button('Isi tahun lahir').click()
    await sheet.getByLabelText('Tahun lahir').fill('98')
    await sheet.getByRole('button', { name: 'Simpan' }).click()
    await expect.element(sheet.getByLabelText('Tahun lahir')).toHaveAccessibleDescription(/empat angka/)
    await sheet.getByLabelText('Tahun lahir').fill('1998')
    await sheet.getByRole('button', { name: 'Simpan' }).click()
    await expect.poll(() => page.getByText('Kamu lahir tahun berapa?').all()).toHaveLength(0)
    expect(api.callsTo('POST /api/user/age')).toMatchObject([{ body: { birthYear: 1998, close: false } }])
  })

  it('opens the question by itself once the year is due, but not over a payment', async () => {
    await openAs({ ...unknown, dueAt: inDays(-1) }, {}, '/history')
    await expect.element(sheet.getByLabelText('Tahun lahir')).toBeVisible()
    await sheet.getByRole('button', { name: 'Tutup', exact: true }).click()
    await text('Kamu lahir tahun berapa?').toBeVisible()
  })

  it('lets a payment go on with the year due', async () => {
    await openAs({ ...unknown, dueAt: inDays(-1) }, {}, '/checkout')
    await text('Kamu lahir tahun berapa?').toBeVisible()
    expect(sheet.all()).toHaveLength(0)
  })

  it('is asked before the first run of a session whose standing the device does not know', async () => {
    const { api } = await openAs({ ...unknown, dueAt: inDays(-1) }, {}, '/checkout')
    await text('Kamu lahir tahun berapa?').toBeVisible()
    queryClient.removeQueries({ queryKey: ageQuery.queryKey })
    const mayRun = ensureAllowedAge({})
    await sheet.getByLabelText('Tahun lahir').fill('1998')
    await sheet.getByRole('button', { name: 'Simpan' }).click()
    expect(await mayRun).toBe(true)

    // Without a connection the server decides later.
    queryClient.removeQueries({ queryKey: ageQuery.queryKey })
    api.setReachable(false)
    expect(await ensureAllowedAge({})).toBe(true)
    expect(sheet.all()).toHaveLength(0)
  })

  it('asks again before the account of a child is closed', async () => {
    const { api, messages } = await openAs(unknown)
    await button('Isi tahun lahir').click()
    await sheet.getByLabelText('Tahun lahir').fill('2018')
    await sheet.getByRole('button', { name: 'Simpan' }).click()
    await expect.element(page.getByRole('heading', { name: 'Benar kamu lahir tahun 2018?' })).toBeVisible()
    await button('Tahunnya salah').click()
    await sheet.getByLabelText('Tahun lahir').fill('2018')
    await sheet.getByRole('button', { name: 'Simpan' }).click()
    await button('Benar, tutup akunku').click()
    await expect.poll(messages).toContain('Akunmu sudah ditutup. Sampai jumpa kalau sudah lebih besar, ya.')
    expect(api.callsTo('POST /api/user/age').at(-1)).toMatchObject({ body: { birthYear: 2018, close: true } })
  })

  it('takes a minor from the birth year to the guardian, sends again and changes the address', async () => {
    const { api, messages } = await openAs(unknown)
    await button('Isi tahun lahir').click()
    await sheet.getByLabelText('Tahun lahir').fill('2010')
    await sheet.getByRole('button', { name: 'Simpan' }).click()
    const email = sheet.getByLabelText('Email orang tua atau wali')
    await email.fill(sari.email)
    await button('Kirim permintaan izin').click()
    await expect.element(email).toHaveAccessibleDescription(/alamatmu sendiri/)
    await email.fill('ibu@contoh.test')
    await button('Kirim permintaan izin').click()
    await text('Menunggu izin orang tua atau wali').toBeVisible()
    await text(/ibu@contoh.test/).toBeVisible()
    await button('Kirim lagi').click()
    await expect.poll(messages).toContain('Email sudah dikirim lagi')
    await button('Ganti alamat').click()
    await sheet.getByLabelText('Email orang tua atau wali').fill('ayah@contoh.test')
    await button('Kirim permintaan izin').click()
    await text(/ayah@contoh.test/).toBeVisible()
    const sent = api.callsTo('POST /api/user/guardian').map(({ body }) => (body as { email: string }).email)
    expect(sent).toEqual(['ibu@contoh.test', 'ibu@contoh.test', 'ayah@contoh.test'])
  })

  it('shows the server’s reason below the address', async () => {
    const disposable = Response.json(
      { code: 'form.invalid', msg: 'Periksa isianmu.', details: { email: 'guardian.disposable' } },
      { status: 422 },
    )
    await openAs(unnamed, { 'POST /api/user/guardian': () => disposable.clone() })
    await button('Tulis email mereka').click()
    await sheet.getByLabelText('Email orang tua atau wali').fill('ibu@sekali.test')
    await button('Kirim permintaan izin').click()
    await expect.element(sheet.getByLabelText('Email orang tua atau wali')).toHaveAccessibleDescription(/sekali pakai/)
  })

  it('tells a minor at face swap before a picture is chosen, and is silent elsewhere', async () => {
    await openAs(allowed, {}, '/ai-swap-face')
    await text('Hanya untuk orang dewasa').toBeVisible()
  })
})

describe('the guardian’s page', () => {
  const open = guardianLink
  const given: GuardianLink = { ...open, state: 'given', givenAt: inDays(0), closesAt: null }
  const openPage = (link: unknown, own: object = {}) =>
    openApp('/guardian/abc', { api: { 'GET /api/guardian_consents/abc': link, ...own } })

  it('takes a consent only from an adult guardian, with the version of the shown text', async () => {
    const { api } = await openPage(open, { 'POST /api/guardian_consents/abc': given })
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Izinkan Bayu memakai Rupa?')
    await button('Saya mengizinkan').click()
    await text('Centang ini dulu untuk memberi izin').toBeVisible()
    expect(api.callsTo('POST /api/guardian_consents/abc')).toEqual([])
    await page.getByLabelText(/Saya orang tua atau wali Bayu/).click()
    await button('Saya mengizinkan').click()
    await text('Kamu mengizinkan Bayu').toBeVisible()
    expect(api.callsTo('POST /api/guardian_consents/abc')).toMatchObject([
      { body: { decision: 'consent', version: '2026-11' } },
    ])
    expect(page.getByRole('button', { name: 'Cabut izin' }).all()).toHaveLength(0)
  })

  it('has no notice for the minor on whose phone it is opened', async () => {
    await openAs(unnamed, { 'GET /api/guardian_consents/abc': open })
    const notice = page.getByRole('region', { name: 'Minta izin orang tua atau wali' })
    await expect.element(notice).toBeVisible()
    history.pushState(null, '', '/guardian/abc')
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Izinkan Bayu memakai Rupa?')
    await expect.element(notice).not.toBeInTheDocument()
  })

  it('refuses after a confirmation', async () => {
    const { api } = await openPage(open, { 'POST /api/guardian_consents/abc': { ...open, state: 'closed' } })
    await button('Saya menolak').click()
    expect(api.callsTo('POST /api/guardian_consents/abc')).toEqual([])
    await button('Tolak dan hapus').click()
    await text('Akunnya sudah ditutup').toBeVisible()
  })

  it('revokes by the link of the confirmation mail, and otherwise sends that link again', async () => {
    const resent = { 'POST /api/guardian_consents/abc/resend': undefined }
    const { messages } = await openPage(given, resent)
    await button('Kirim lagi tautan pencabutan').click()
    await expect.poll(messages).toContain('Email dengan tautan pencabutan sudah dikirim')
  })

  it('revokes after a confirmation', async () => {
    await openPage({ ...given, mayRevoke: true }, { 'POST /api/guardian_consents/abc': { ...given, state: 'closed' } })
    await button('Cabut izin').click()
    await button('Cabut dan hapus').click()
    await text('Akunnya sudah ditutup').toBeVisible()
  })

  it.each([
    ['one that is no longer valid', refusal(422, 'auth.token_invalid', 'x'), 'Tautan ini tidak berlaku lagi'],
    ['one of a minor who has grown up', { ...open, state: 'not_needed' }, 'Izinmu tidak diperlukan lagi'],
  ])('explains a link to %s', async (_, answer, title) => {
    await openPage(answer)
    await text(title).toBeVisible()
  })

  it('shows where a decision came too late', async () => {
    let asked = 0
    await openApp('/guardian/abc', {
      api: {
        'GET /api/guardian_consents/abc': () => (asked++ === 0 ? open : refusal(422, 'auth.token_invalid', 'x')),
        'POST /api/guardian_consents/abc': refusal(422, 'auth.token_invalid', 'Tautan tidak berlaku.'),
      },
    })
    await page.getByLabelText(/Saya orang tua atau wali Bayu/).click()
    await button('Saya mengizinkan').click()
    await text('Tautan ini tidak berlaku lagi').toBeVisible()
  })
})
