import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { UserRoundCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { busyAtom } from '#client/busy.ts'
import { formatDate } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { toolPages } from '#tools/pages.ts'
import { useAction } from '#ui/actions.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { guardianPath } from '../rules.ts'
import { ageQuery, ageSheetAtom, nameGuardian, obstacleOf, openAgeSheet } from './age.ts'
import { AgeSheet } from './age-sheet.tsx'

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
