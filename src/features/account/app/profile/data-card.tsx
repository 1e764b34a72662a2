import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { clearReloadableData, requestPersistentStorage, storageUse } from '#client/device/storage-use.ts'
import { formatBytes, formatDateTime } from '#client/format.ts'
import type { ConsentKind } from '#shared/consent.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import { consentsQuery, givenConsent, withdrawConsent } from '../consent/consent.ts'
import { downloadExport } from '../profile-api.ts'
import { Card, Row } from './card.tsx'

export function DataCard({ onDelete }: { onDelete: () => void }) {
  const { t } = useLingui()
  const download = useAction(downloadExport, t`Datamu sudah diunduh`)
  return (
    <Card title={t`Privasi dan data`}>
      <ConsentRow kind="biometric" />
      <ConsentRow kind="remote" />
      <Row
        name={t`Unduh dataku`}
        button={{ busy: download.isPending, onClick: () => download.mutate(), children: t`Unduh ZIP` }}
      >
        {t`Foto, hasil, catatan kredit, pesanan, dan permintaanmu dalam satu berkas.`}
      </Row>
      <StorageRow />
      <Row name={t`Hapus akun`} button={{ className: 'text-error', onClick: onDelete, children: t`Hapus akun` }}>
        {t`Semua foto dan data pribadimu dihapus seketika.`}
      </Row>
    </Card>
  )
}

function StorageRow() {
  const { t } = useLingui()
  const { data: use, refetch } = useQuery({ queryKey: ['device', 'storage'], queryFn: storageUse, staleTime: 0 })
  const free = useAction(async () => {
    await clearReloadableData()
    await refetch()
  }, t`Ruang di perangkat ini sudah dikosongkan`)
  const keep = useAction(async () => {
    if (await requestPersistentStorage()) showSnackbar('success', t`Peramban menjaga penyimpanan ini`)
    else showSnackbar('info', t`Peramban belum bisa menjaminnya. Pasang dulu aplikasinya.`)
    await refetch()
  })
  if (!use) return null
  const used = formatBytes(use.used)
  const quota = formatBytes(use.quota)
  return (
    <>
      <Row
        name={t`Ruang di perangkat ini`}
        button={{ busy: free.isPending, onClick: () => free.mutate(), children: t`Kosongkan` }}
      >
        {t`${used} terpakai. Yang dihapus hanya salinannya; unggahan yang menunggu tetap aman.`}
      </Row>
      <meter
        className="sr-only"
        aria-label={t`Ruang yang terpakai`}
        min={0}
        max={use.quota}
        value={use.used}
      >{`${used} / ${quota}`}</meter>
      <Row
        name={t`Penyimpanan permanen`}
        button={!use.kept && { busy: keep.isPending, onClick: () => keep.mutate(), children: t`Aktifkan` }}
      >
        {use.kept
          ? t`Peramban tidak menghapusnya sendiri.`
          : t`Saat ruang di perangkat menipis, peramban bisa menghapusnya.`}
      </Row>
    </>
  )
}

/** Most users never need external services. */
function ConsentRow({ kind }: { kind: ConsentKind }) {
  const { t } = useLingui()
  const { data: consents } = useQuery(consentsQuery)
  const withdraw = useAction(() => withdrawConsent(kind), t`Persetujuan sudah ditarik`)
  const given = consents && givenConsent(consents, kind)
  const when = given && formatDateTime(given.givenAt)
  const remote = kind === 'remote'
  if (remote && !given) return null
  const consentState = () => {
    // Keeps its height while loading, so that the layout does not shift.
    if (!consents) return '\u00a0'
    if (!given) return t`Belum diberikan. Alat yang mengolah wajah menanyakannya sebelum mulai.`
    return remote
      ? t`Diberikan ${when}, teks versi ${given.version}. Kalau ditarik, tidak ada foto yang dikirim lagi.`
      : t`Diberikan ${when}, teks versi ${given.version}. Kalau ditarik, alat wajah menanyakannya lagi.`
  }
  return (
    <Row
      name={remote ? t`Kirim ke layanan AI luar` : t`Persetujuan wajah`}
      button={given && { busy: withdraw.isPending, onClick: () => withdraw.mutate(), children: t`Tarik persetujuan` }}
    >
      {consentState()}
    </Row>
  )
}
