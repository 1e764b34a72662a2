import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SessionView } from '#features/account/schemas.ts'
import { address, navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, inDays, profileOf, sari, tokenOf } from '#tests/support/components/samples.ts'
import { button, heading, savedFiles } from '#tests/support/components/screen.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'

const password = 'Rahasia-123!'
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const labelled = (label: string) => page.getByLabelText(label, { exact: true })
const dialog = page.getByRole('dialog')
const token = () => ({ access_token: tokenOf(sari) })
const wrongPassword = refusal(422, 'auth.wrong_password', 'Kata sandi saat ini salah.', {
  currentPassword: 'Kata sandi saat ini salah.',
})
/** Accepts a call with the current password, and refuses any other. */
const withPassword =
  (answer: unknown, field = 'currentPassword') =>
  ({ body }: ApiCall) =>
    (body as Record<string, string>)[field] === password ? answer : wrongPassword

const session = (id: string, own: Partial<SessionView> = {}): SessionView => ({
  id,
  current: false,
  device: 'Chrome, Android',
  createdAt: inDays(-3),
  lastSeenAt: inDays(-1),
  ...own,
})

it('changes the name, on the screen and in the account', async () => {
  let name = sari.name
  const { api, messages, reload } = await openApp('/profile', {
    user: sari,
    api: {
      'GET /api/user/me': () => profileOf({ ...sari, name }),
      'PATCH /api/user/me': ({ body }: ApiCall) => {
        name = (body as { name?: string }).name ?? name
        return { ...profileOf({ ...sari, name }), access_token: tokenOf({ ...sari, name }) }
      },
    },
  })
  await labelled('Nama').fill('')
  await button('Simpan').click()
  await text('Bagian ini wajib diisi').toBeVisible()
  expect(api.callsTo('PATCH /api/user/me')).toEqual([])
  await labelled('Nama').fill('Wulan <b>Sari</b>')
  await button('Simpan').click()
  await expect.poll(messages).toContain('Nama sudah disimpan')
  await expect.element(page.getByRole('main').getByText('Wulan <b>Sari</b>')).toBeVisible()
  await reload()
  await expect.element(labelled('Nama')).toHaveValue('Wulan <b>Sari</b>')
})

it('shows a consent with its time and version, and withdraws it', async () => {
  const current = { biometric: '2026-11', remote: '2026-11' }
  let items: unknown[] = [{ kind: 'biometric', version: '2026-11', givenAt: inDays(-1), withdrawnAt: null }]
  const { messages } = await openApp('/profile', {
    user: sari,
    api: {
      'GET /api/user/consents': () => ({ items, current }),
      'DELETE /api/user/consents': () => {
        items = []
      },
    },
  })
  await text(/^Diberikan .+, teks versi 2026-11/).toBeVisible()
  await button('Tarik persetujuan').click()
  await expect.poll(messages).toContain('Persetujuan sudah ditarik')
  await text(/^Belum diberikan/).toBeVisible()
})

it('saves the account’s data as a ZIP', async () => {
  const zip = new Response(new Uint8Array([0x50, 0x4b]), { headers: { 'content-type': 'application/zip' } })
  await openApp('/profile', { user: sari, api: { 'POST /api/user/export': zip } })
  const saved = savedFiles()
  await button('Unduh ZIP').click()
  await expect.poll(() => saved).toEqual([expect.stringMatching(/^rupa-\d{4}-\d\d-\d\d\.zip$/)])
})

it('shows the storage on the device, requests that it is kept, and clears it', async () => {
  // Browsers decide by themselves; this one refuses first.
  let asked = 0
  vi.spyOn(navigator.storage, 'persist').mockImplementation(async () => ++asked > 1)
  vi.spyOn(navigator.storage, 'persisted').mockImplementation(async () => asked > 1)
  const { messages } = await openApp('/history', {
    user: sari,
    api: { 'GET /api/generations': { items: [generationOf('a')], nextCursor: null } },
  })
  await expect.poll(keptKeys).toContain('["generations"')
  navigateInApp('/profile')
  await text(/ terpakai\. Yang dihapus hanya salinannya/).toBeVisible()
  await button('Aktifkan').click()
  await expect.poll(messages).toContain('Peramban belum bisa menjaminnya. Pasang dulu aplikasinya.')
  await button('Aktifkan').click()
  await text('Peramban tidak menghapusnya sendiri.').toBeVisible()
  await button('Kosongkan').click()
  await expect.poll(messages).toContain('Ruang di perangkat ini sudah dikosongkan')
  // Data of this screen is fetched and stored again; the history is not.
  expect(await keptKeys()).not.toContain('["generations"')
})

/** Keys of the queries stored on this device. */
async function keptKeys(): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('rupa-queries')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const keys = await Promise.all(
    [...database.objectStoreNames].map(
      (name) =>
        new Promise<IDBValidKey[]>((resolve) => {
          const reading = database.transaction(name).objectStore(name).getAllKeys()
          reading.onsuccess = () => resolve(reading.result)
        }),
    ),
  )
  database.close()
  return keys.flat().join()
}

it('saves appearance and language with the account', async () => {
  const saved: Record<string, unknown> = {}
  const { api } = await openApp('/profile', {
    user: sari,
    api: {
      'GET /api/user/me': () => ({ ...profileOf(sari), ...saved }),
      'PATCH /api/user/me': ({ body }: ApiCall) => {
        Object.assign(saved, body)
        return { ...profileOf(sari), ...saved, ...token() }
      },
    },
  })
  const root = document.documentElement
  await page.getByText('Gelap', { exact: true }).click()
  await page.getByLabelText('Toska', { exact: true }).click({ force: true })
  await expect.poll(() => root.dataset.primary).toBe('toska')
  await page.getByText('English', { exact: true }).click()
  await expect.poll(() => saved).toMatchObject({ theme: { mode: 'dark', primary: 'toska' }, language: 'en' })
  expect(api.callsTo('PATCH /api/user/me').length).toBeGreaterThan(0)
})

it('explains the errors of a new address, which the mailed link makes valid', async () => {
  const { api } = await openApp('/profile', {
    user: sari,
    api: { 'POST /api/user/email': withPassword({ msg: 'Buka tautan di email barumu.' }, 'password') },
  })
  await button('Ganti email').click()
  await dialog.getByRole('button', { name: 'Kirim tautan' }).click()
  await expect.element(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  await dialog.getByLabelText('Email baru').fill('bukan-email')
  await expect.element(dialog.getByText('Email tidak valid')).toBeVisible()
  expect(api.callsTo('POST /api/user/email')).toEqual([])
  await dialog.getByLabelText('Email baru').fill('lain@contoh.test')
  await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
  await dialog.getByRole('button', { name: 'Kirim tautan' }).click()
  await expect.element(dialog.getByText('Kata sandi saat ini salah.')).toBeVisible()
  await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Kirim tautan' }).click()
  await expect.element(dialog.getByText('Buka tautan di email barumu.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Mengerti' }).click()
  await expect.element(page.getByRole('main').getByText(sari.email).first()).toBeVisible()
  // The link in the mail leads back here.
  navigateInApp('/profile?email=1')
  await text('Alamat emailmu sudah berganti.').toBeVisible()
  navigateInApp('/profile?email=0')
  await text('Tautan itu sudah tidak berlaku. Minta yang baru lewat “Ganti email”.').toBeVisible()
})

describe('sessions', () => {
  it('end one by one and all together with the password; the current one stays', async () => {
    let items = [session('ini', { current: true }), session('satu'), session('dua')]
    const { messages } = await openApp('/profile', {
      user: sari,
      api: {
        'GET /api/user/sessions': () => ({ items }),
        'POST /api/user/sessions/*/end': ({ path }: ApiCall) => {
          items = items.filter(({ id }) => id !== path.split('/')[4])
        },
        'POST /api/user/sessions/end_others': () => {
          items = items.filter(({ current }) => current)
          return token()
        },
      },
    })
    const confirm = async () => {
      await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Keluarkan', exact: true }).click()
      await expect.element(dialog).not.toBeInTheDocument()
    }
    const signOut = button(/^Keluarkan /)
    await expect.element(signOut).toHaveLength(2)
    await expect.element(page.getByText('Perangkat ini', { exact: true })).toHaveLength(1)
    await signOut.first().click()
    await confirm()
    await expect.poll(messages).toContain('Perangkat itu sudah keluar')
    await expect.element(signOut).toHaveLength(1)
    await button('Keluar dari semua perangkat lain').click()
    await confirm()
    await expect.poll(messages).toContain('Semua perangkat lain sudah keluar')
    await expect.element(signOut).toHaveLength(0)
    expect(localStorage.getItem('authToken')).not.toBeNull()
  })

  it('stay until a new password is strong, repeated and confirmed by the current one', async () => {
    const { api, messages } = await openApp('/profile', {
      user: sari,
      api: { 'POST /api/user/password': withPassword(token()) },
    })
    await button('Ganti kata sandi').click()
    await button('Simpan kata sandi').click()
    await text('Kata sandi wajib diisi').toBeVisible()
    await labelled('Kata sandi baru').fill('abcdefg1!')
    await text('Kata sandi harus berisi minimal satu huruf besar').toBeVisible()
    await labelled('Kata sandi baru').fill('Tukar-4567?')
    await labelled('Konfirmasi kata sandi').fill('Lain-4567?')
    await labelled('Kata sandi saat ini').fill('Bukan-ini-1!')
    await button('Simpan kata sandi').click()
    await text('Kata sandi harus sama').toBeVisible()
    expect(api.callsTo('POST /api/user/password')).toEqual([])
    await labelled('Konfirmasi kata sandi').fill('Tukar-4567?')
    await button('Simpan kata sandi').click()
    await text('Kata sandi saat ini salah.').toBeVisible()
    await labelled('Kata sandi saat ini').fill(password)
    await button('Simpan kata sandi').click()
    await expect.poll(messages).toContain('Kata sandi berhasil diubah')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(heading).toHaveTextContent('Akun')
    expect(page.getByText('Sesimu sudah berakhir').all()).toHaveLength(0)
  })
})

it('deletes the account only with the password, explains the effects, and leaves nothing on the device', async () => {
  const { messages } = await openApp('/profile', {
    user: sari,
    api: { 'POST /api/user/delete': withPassword(undefined, 'password') },
  })
  const forever = dialog.getByRole('button', { name: 'Hapus akunku selamanya' })
  await button('Hapus akun').click()
  await expect.element(dialog.getByText('Ini terjadi seketika dan tidak bisa dibatalkan:')).toBeVisible()
  await expect.element(dialog.getByRole('listitem')).toHaveLength(4)
  await forever.click()
  await expect.element(dialog.getByText('Kata sandi wajib diisi')).toBeVisible()
  await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
  await forever.click()
  await expect.element(dialog.getByText('Kata sandi saat ini salah.')).toBeVisible()
  await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill(password)
  await forever.click()
  await expect.poll(messages).toContain('Akunmu sudah dihapus')
  await expect.poll(address).toBe('/')
  const ofDevice = [
    'themeMode',
    'themePrimary',
    'themeNeutral',
    'language',
    'installOffered',
    'announcements',
    'lastVisit',
  ]
  expect(Object.keys(localStorage).filter((key) => !ofDevice.includes(key))).toEqual([])
  expect(Object.keys(sessionStorage)).toEqual([])
})

const looks = import.meta.env.SOAK
  ? ([
      ['en', 'dark'],
      ['id', 'light'],
    ] as const)
  : ([['en', 'dark']] as const)
it.each(looks)('has no accessibility violations with its dialogs in %s, %s', async (language, theme) => {
  localStorage.setItem('themeMode', theme)
  const long = { ...sari, name: 'Bartholomeuspanjangsekali' }
  await openApp('/profile', {
    user: long,
    language,
    api: { 'GET /api/user/sessions': { items: [session('ini', { current: true }), session('satu')] } },
  })
  await expect.element(page.getByText(/Perangkat ini$|This device$/).first()).toBeVisible()
  const check = async (what: string) => {
    expect(await violations(), what).toEqual([])
    expect(document.documentElement.scrollWidth, what).toBeLessThanOrEqual(innerWidth)
  }
  await check('profile')
  for (const name of [
    /^Ganti email$|^Change email$/,
    /^Ganti kata sandi$|^Change password$/,
    /^Hapus akun$|^Delete account$/,
  ]) {
    await button(name).click()
    await expect.element(dialog.getByLabelText(/^Kata sandi saat ini$|^Current password$/)).toBeVisible()
    await check(String(name))
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  }
})
