import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { errorText } from '#client/api.ts'
import { brandName } from '#shared/brand.ts'
import { type ConsentKind, consentVersions } from '#shared/consent.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { giveConsent } from './consent.ts'
import { answerQuestion } from './consent-question.ts'

/** Padding of the sheet below its last line. */
const edge = '(1.5rem + env(safe-area-inset-bottom))'

const serviceNames: Readonly<Record<string, string>> = { fal: 'fal.ai', replicate: 'Replicate' }

/** UU 27/2022: consent is explicit, separate from the terms, and as easy to refuse as to give. */
export function ConsentDialog({ kind, service }: { kind: ConsentKind; service?: string | undefined }) {
  const { t } = useLingui()
  const agree = useMutation({
    mutationFn: () => giveConsent(kind, consentVersions[kind]),
    onSuccess: () => answerQuestion(true),
  })
  return (
    <BottomSheet
      open
      onClose={() => answerQuestion(false)}
      title={kind === 'remote' ? t`Boleh fotomu dikirim ke layanan AI luar?` : t`Boleh kami mengolah wajah di fotomu?`}
    >
      <div className="grid gap-3 leading-relaxed">
        {kind === 'remote' ? <RemoteText service={service} /> : <BiometricText />}
        <p className="text-muted text-sm">
          <Trans>
            {brandName} mencatat waktu dan versi teks ini. Kamu bisa menarik persetujuan kapan saja di halaman Akun.
          </Trans>
        </p>
      </div>
      {agree.isError && (
        <p role="alert" className="mt-4 font-medium text-error text-sm">
          {errorText(agree.error)}
        </p>
      )}
      <div
        className="sticky -mx-6 -mb-5 mt-5 flex flex-wrap gap-2.5 border-line border-t bg-base-100 px-6 pt-3"
        // In view without scrolling, unless large text needs the room.
        style={{ bottom: `min(-1 * ${edge}, (100dvh - 23rem) * 99)`, paddingBottom: `calc${edge}` }}
      >
        <Button size="lg" variant="outline" className="flex-auto" onClick={() => answerQuestion(false)}>
          {t`Tidak setuju`}
        </Button>
        <Button size="lg" className="flex-auto" busy={agree.isPending} onClick={() => agree.mutate()}>
          {t`Saya setuju`}
        </Button>
      </div>
    </BottomSheet>
  )
}

function RemoteText({ service }: { service: string | undefined }) {
  const { t } = useLingui()
  const name = serviceNames[service ?? ''] ?? service ?? t`layanan AI luar`
  return (
    <>
      <p>
        <Trans>
          Bagian ini tidak dikerjakan di server kami, tetapi di <strong>{name}</strong>. Untuk itu fotomu dikirim ke
          sana, termasuk wajah yang ada di dalamnya.
        </Trans>
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>
          <Trans>Yang dikirim hanya foto dan kata-katamu. Nama, email, lokasi, dan data kamera tidak ikut.</Trans>
        </li>
        <li>
          <Trans>
            Hasilnya langsung kami ambil, dan layanan itu diminta menghapus foto dan hasilnya dalam satu jam.
          </Trans>
        </li>
        <li>
          <Trans>Layanan itu bisa berada di luar Indonesia dan punya aturan sendiri.</Trans>
        </li>
        <OtherPeopleNote />
      </ul>
    </>
  )
}

function BiometricText() {
  return (
    <>
      <p>
        <Trans>
          Alat ini mencari dan mengolah wajah. Menurut UU 27/2022 wajah adalah data biometrik, jadi kami minta
          persetujuanmu dulu.
        </Trans>
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>
          <Trans>Wajah hanya diolah untuk membuat hasil yang kamu minta, bukan untuk mengenali siapa orangnya.</Trans>
        </li>
        <li>
          <Trans>Foto asli dihapus setelah 7 hari, hasilnya setelah 30 hari, atau kapan pun kamu menghapusnya.</Trans>
        </li>
        <li>
          <Trans>Tidak ada yang dipakai untuk melatih model atau dijual.</Trans>
        </li>
        <OtherPeopleNote />
      </ul>
    </>
  )
}

function OtherPeopleNote() {
  return (
    <li>
      <Trans>Kalau ada orang lain di foto, pastikan mereka setuju.</Trans>
    </li>
  )
}
