import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { UserRoundCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '#client/api.ts'
import { busyAtom } from '#client/busy.ts'
import { serverNow } from '#client/device/server-time.ts'
import { formatDate } from '#client/format.ts'
import { siteQuery } from '#client/query.ts'
import { signOut, userAtom } from '#client/session.ts'
import { birthYearProblems } from '#features/account/rules.ts'
import { brandName } from '#shared/brand.ts'
import { isEmail } from '#shared/credentials.ts'
import { toolPages } from '#tools/pages.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { BirthYearField, EmailField } from '#ui/field.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import { guardianPath } from '../rules.ts'
import type { AgeView } from '../schemas.ts'
import {
  ageQuery,
  ageSheetAtom,
  closeAgeSheet,
  nameGuardian,
  obstacleOf,
  openAgeSheet,
  tellBirthYear,
} from './guardians.ts'

function AgeSheet({ age, adultsOnly }: { age: AgeView; adultsOnly: boolean }) {
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
        const answer = await tellBirthYear(Number(birthYear))
        if (obstacleOf(answer, adultsOnly) === null) closeAgeSheet()
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

const pollMs = 60_000

/** Asks for the birth year and the guardian, without covering what the user does. */
export function AgeBanner() {
  const { t } = useLingui()
  const [path] = useLocation()
  // A parent may open the link on the minor's own phone.
  const isGuardians = path.startsWith(guardianPath(''))
  const isUser = useAtomValue(userAtom)?.role === 'user'
  const sheet = useAtomValue(ageSheetAtom)
  const busy = useAtomValue(busyAtom)
  const { data: age } = useQuery({
    ...ageQuery,
    enabled: isUser,
    refetchInterval: ({ state }) => (state.data?.guardian === 'waiting' ? pollMs : false),
  })
  const guardian = age?.guardian
  const before = useRef(guardian)
  useEffect(() => {
    if (before.current === 'waiting' && guardian === 'given')
      showSnackbar('success', t`Orang tua atau walimu setuju. Kamu bisa mulai!`)
    before.current = guardian
  }, [guardian, t])
  const isDue = age !== undefined && obstacleOf(age, false) === 'year'
  const asked = useRef(false)
  useEffect(() => {
    // Once, and never over a payment or an edit.
    if (!isDue || busy || asked.current || path === '/checkout' || isGuardians) return
    asked.current = true
    void openAgeSheet()
  }, [isDue, busy, path, isGuardians])
  if (!isUser || !age || isGuardians) return null
  return (
    <>
      <Invitation />
      {sheet && <AgeSheet age={age} adultsOnly={sheet.adultsOnly} />}
    </>
  )
}

const isAdultsOnly = (path: string) =>
  Object.values(toolPages).some(({ definition }) => definition.adultsOnly && definition.route === path)

function Invitation() {
  const { t } = useLingui()
  const [path] = useLocation()
  const { data: age } = useQuery({ ...ageQuery, enabled: false })
  const again = useAction(() => nameGuardian(age?.guardianEmail ?? ''), t`Email sudah dikirim lagi`)
  if (!age) return null
  const closing = age.closesAt === null ? '' : formatDate(age.closesAt)
  if (age.band === 'unknown') {
    const due = age.dueAt === null ? '' : formatDate(age.dueAt)
    return (
      <Notice
        title={t`Kamu lahir tahun berapa?`}
        actions={<Button onClick={() => void openAgeSheet()}>{t`Isi tahun lahir`}</Button>}
      >
        {due && obstacleOf(age, false) !== 'year'
          ? t`Kami perlu tahu untuk melindungi anak. Isi sebelum ${due}, supaya kamu bisa terus mengedit.`
          : t`Kami perlu tahu untuk melindungi anak. Setelah diisi, kamu bisa mulai mengedit.`}
      </Notice>
    )
  }
  if (age.guardian === 'unnamed') {
    return (
      <Notice
        title={t`Minta izin orang tua atau wali`}
        actions={<Button onClick={() => void openAgeSheet()}>{t`Tulis email mereka`}</Button>}
      >
        {t`Kamu belum dewasa. Sampai mereka setuju, kamu bisa melihat-lihat, tetapi belum bisa mengedit.`}{' '}
        {closing && t`Tanpa izin, akunmu ditutup pada ${closing}.`}
      </Notice>
    )
  }
  if (age.guardian === 'waiting') {
    const email = age.guardianEmail ?? ''
    return (
      <Notice
        title={t`Menunggu izin orang tua atau wali`}
        actions={
          <>
            <Button variant="soft" busy={again.isPending} onClick={() => again.mutate()}>
              {t`Kirim lagi`}
            </Button>
            <Button variant="ghost" onClick={() => void openAgeSheet()}>{t`Ganti alamat`}</Button>
          </>
        }
      >
        {t`Kami mengirim email ke ${email}. Begitu mereka setuju, kamu bisa mulai mengedit.`}{' '}
        {closing && t`Tanpa izin, akunmu ditutup pada ${closing}.`}
      </Notice>
    )
  }
  if (age.band === 'minor' && isAdultsOnly(path)) {
    return (
      <Notice
        title={t`Hanya untuk orang dewasa`}
        actions={<LinkButton variant="soft" to="/">{t`Alat lain`}</LinkButton>}
      >
        {t`Alat ini bisa mengubah wajah orang lain, jadi belum bisa kamu pakai. Kreditmu tidak terpakai.`}
      </Notice>
    )
  }
  return null
}

function Notice({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <section aria-label={title} className="page py-2">
      <div className="card flex-row flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
        <UserRoundCheck aria-hidden className="size-6 shrink-0 text-primary-ink" />
        <p className="wrap-anywhere min-w-52 flex-1 text-sm leading-relaxed">
          <strong className="block text-base">{title}</strong>
          {children}
        </p>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
    </section>
  )
}
