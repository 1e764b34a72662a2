import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { ApiError } from '#client/api.ts'
import { serverNow } from '#client/device/server-time.ts'
import { signOut, userAtom } from '#client/session.ts'
import { siteQuery } from '#client/site-query.ts'
import { birthYearProblems } from '#features/account/rules.ts'
import { brandName } from '#shared/brand.ts'
import { isEmail } from '#shared/email.ts'
import { useAction } from '#ui/actions.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { BirthYearField, EmailField } from '#ui/field.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { AgeView } from '../schemas.ts'
import { closeAgeSheet, nameGuardian, obstacleOf, tellBirthYear } from './age.ts'

export function AgeSheet({ age, adultsOnly }: { age: AgeView; adultsOnly: boolean }) {
  const { t } = useLingui()
  const adultAge = useQuery(siteQuery).data?.age?.adult ?? 18
  const [childYear, setChildYear] = useState<number | null>(null)
  if (childYear !== null) return <TooYoung birthYear={childYear} onBack={() => setChildYear(null)} />
  if (age.band === 'unknown') return <BirthYear adultsOnly={adultsOnly} onChild={setChildYear} />
  if (adultsOnly && obstacleOf(age, adultsOnly) === 'adults') {
    return (
      <BottomSheet open onClose={closeAgeSheet} title={t`Hanya untuk orang dewasa`}>
        <p className="leading-relaxed">
          <Trans>
            Bagian ini bisa mengubah wajah orang lain, jadi baru bisa dipakai mulai 1 Januari setelah kamu berusia{' '}
            {adultAge} tahun. Kreditmu tidak terpakai. Alat lain bisa kamu pakai seperti biasa.
          </Trans>
        </p>
        <Button size="lg" className="mt-5 w-full" onClick={closeAgeSheet}>{t`Mengerti`}</Button>
      </BottomSheet>
    )
  }
  return <Guardian age={age} />
}

function BirthYear({ adultsOnly, onChild }: { adultsOnly: boolean; onChild: (birthYear: number) => void }) {
  const { t } = useLingui()
  const form = useForm({
    defaultValues: { birthYear: '' },
    check: (fields) => birthYearProblems(fields, serverNow()),
    texts: { 'age.year': t`Tulis tahunnya dengan empat angka, misalnya 1998` },
    send: async ({ birthYear }) => {
      try {
        const told = await tellBirthYear(Number(birthYear))
        if (obstacleOf(told, adultsOnly) === null) closeAgeSheet()
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'age.below_minimum') throw error
        onChild(Number(birthYear))
      }
    },
  })
  return (
    <BottomSheet open onClose={closeAgeSheet} title={t`Kamu lahir tahun berapa?`}>
      <Form form={form} action={t`Simpan`}>
        <p className="leading-relaxed">
          <Trans>
            Kami menanyakannya sekali, untuk melindungi anak. Isi dengan jujur, ya; nanti tidak bisa diubah.
          </Trans>
        </p>
        <BirthYearField
          label={t`Tahun lahir`}
          hint={t`Hanya tahunnya yang kami simpan.`}
          {...form.field('birthYear')}
        />
      </Form>
    </BottomSheet>
  )
}

/** A mistyped year must not erase an account. */
function TooYoung({ birthYear, onBack }: { birthYear: number; onBack: () => void }) {
  const { t } = useLingui()
  const close = useAction(async () => {
    await tellBirthYear(birthYear, true)
    closeAgeSheet()
    await signOut()
    showSnackbar('info', t`Akunmu sudah ditutup. Sampai jumpa kalau sudah lebih besar, ya.`)
  })
  return (
    <BottomSheet open onClose={onBack} title={t`Benar kamu lahir tahun ${birthYear}?`}>
      <p className="leading-relaxed">
        <Trans>
          Terima kasih sudah ingin memakai {brandName}! Kalau tahun itu benar, kamu masih terlalu muda untuk punya akun
          di sini. Akun ini lalu ditutup, dan semua gambar serta kreditnya dihapus.
        </Trans>
      </p>
      <div className="mt-5 grid gap-2.5">
        <Button size="lg" onClick={onBack}>{t`Tahunnya salah`}</Button>
        <Button size="lg" variant="outline" busy={close.isPending} onClick={() => close.mutate()}>
          {t`Benar, tutup akunku`}
        </Button>
      </div>
    </BottomSheet>
  )
}

function Guardian({ age }: { age: AgeView }) {
  const { t } = useLingui()
  const own = useAtomValue(userAtom)?.email
  const form = useForm({
    defaultValues: { email: age.guardianEmail ?? '' },
    check: ({ email }) => {
      if (email.trim().toLowerCase() === own) return { email: 'guardian.ownAddress' }
      return { email: isEmail(email.trim()) ? null : 'login.invalidEmail' }
    },
    texts: {
      'login.invalidEmail': t`Email tidak valid`,
      'guardian.ownAddress': t`Ini alamatmu sendiri. Tulis alamat orang tua atau walimu.`,
      'guardian.disposable': t`Alamat sekali pakai tidak bisa dipakai.`,
    },
    send: async ({ email }) => {
      await nameGuardian(email)
      closeAgeSheet()
      showSnackbar('success', t`Email sudah dikirim ke orang tua atau walimu`)
    },
  })
  return (
    <BottomSheet
      open
      onClose={closeAgeSheet}
      title={age.guardian === 'waiting' ? t`Ganti alamat` : t`Minta izin orang tua atau wali`}
    >
      <Form form={form} action={t`Kirim permintaan izin`}>
        <p className="leading-relaxed">
          <Trans>
            Kami mengirim mereka email yang menjelaskan {brandName} dan apa yang kami simpan. Mereka bisa mengizinkan
            atau menolak. Beri tahu mereka, supaya emailnya tidak terlewat.
          </Trans>
        </p>
        <EmailField label={t`Email orang tua atau wali`} autoComplete="off" {...form.field('email')} />
      </Form>
    </BottomSheet>
  )
}
