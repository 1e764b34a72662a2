import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { apiFetch } from '#client/api.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { ReasonSheet } from '#ui/reason-sheet.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { type ReportCategory, reportNoteMax } from '../rules.ts'

/** A shared link's result, or a result of the user's own. */
type ReportTarget = { token: string } | { generationId: string; position: number }

export function ReportSheet({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const isShared = 'token' in target
  const categories: Record<ReportCategory, string> = {
    minor: t`Melibatkan anak`,
    sexual: t`Telanjang atau seksual`,
    without_consent: t`Fotoku atau wajahku dipakai tanpa izin`,
    deception: t`Menipu atau berpura-pura jadi orang lain`,
    hate: t`Kebencian atau kekerasan`,
    other: t`Lainnya`,
  }
  return (
    <ReasonSheet
      title={t`Laporkan hasil ini`}
      intro={
        <>
          {isShared
            ? t`Pemiliknya tidak tahu siapa yang melapor.`
            : t`Ada yang tidak pantas di hasil ini? Beri tahu kami.`}{' '}
          {signedIn
            ? t`Kami periksa, lalu keputusannya kami kirim ke emailmu.`
            : t`Kami periksa secepatnya, dan mencabut tautannya kalau melanggar.`}
        </>
      }
      question={t`Apa yang salah?`}
      reasons={categories}
      other="other"
      details={{ max: reportNoteMax, missing: msg`Ceritakan apa yang salah, ya.` }}
      action={t`Kirim laporan`}
      onSend={async (category, note) => {
        const about = { category, note }
        if (signedIn) await apiFetch('/api/user/reports', { json: { ...about, ...target } })
        else if (isShared)
          await apiFetch(`/api/shared_results/${encodeURIComponent(target.token)}/reports`, { json: about })
        showSnackbar('success', t`Terima kasih, laporanmu kami terima`)
      }}
      onClose={onClose}
    />
  )
}
