import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorText } from '#client/errors.ts'
import { formatBytes } from '#client/format.ts'
import { freeStorage, keepStorage, storageUse } from '#features/installed-app/app/installed-app.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { downloadExport } from '../profile-api.ts'
import { Card, Row } from './card.tsx'
import { ConsentRow } from './consent-row.tsx'

const storageKey = ['device', 'storage']

/** What is known about the person: agreed to, taken away, kept on this device, deleted. */
export function DataCard({ onDelete }: { onDelete: () => void }) {
  const { t } = useLingui()
  const download = useMutation({
    mutationFn: downloadExport,
    onSuccess: () => showSnackbar('success', t`Datamu sudah diunduh`),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  return (
    <Card title={t`Privasi dan data`}>
      <ConsentRow />
      <Row
        name={t`Unduh dataku`}
        action={
          <Button variant="outline" busy={download.isPending} onClick={() => download.mutate()}>
            {t`Unduh ZIP`}
          </Button>
        }
      >
        {t`Foto, hasil, catatan kredit, pesanan, dan permintaanmu dalam satu berkas.`}
      </Row>
      <StorageRow />
      <Row
        name={t`Hapus akun`}
        action={
          <Button variant="outline" className="text-error" onClick={onDelete}>
            {t`Hapus akun`}
          </Button>
        }
      >
        {t`Semua foto dan data pribadimu dihapus seketika.`}
      </Row>
    </Card>
  )
}

function StorageRow() {
  const { t } = useLingui()
  const client = useQueryClient()
  const { data: use } = useQuery({ queryKey: storageKey, queryFn: storageUse, staleTime: 0 })
  const free = useMutation({
    mutationFn: freeStorage,
    onSuccess: () => {
      showSnackbar('success', t`Ruang di perangkat ini sudah dikosongkan`)
      return client.invalidateQueries({ queryKey: storageKey })
    },
  })
  const keep = useMutation({
    mutationFn: keepStorage,
    onSuccess: (kept) => {
      if (kept) showSnackbar('success', t`Peramban menjaga penyimpanan ini`)
      else showSnackbar('info', t`Peramban belum bisa menjaminnya. Pasang dulu aplikasinya.`)
      return client.invalidateQueries({ queryKey: storageKey })
    },
  })
  if (!use) return null
  const used = formatBytes(use.used)
  const quota = formatBytes(use.quota)
  return (
    <>
      <Row
        name={t`Ruang di perangkat ini`}
        action={
          <Button variant="outline" busy={free.isPending} onClick={() => free.mutate()}>
            {t`Kosongkan`}
          </Button>
        }
      >
        {t`${used} terpakai. Yang dikosongkan hanya salinan; unggahan yang menunggu tetap aman.`}
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
        action={
          !use.kept && (
            <Button variant="outline" busy={keep.isPending} onClick={() => keep.mutate()}>
              {t`Minta dijaga`}
            </Button>
          )
        }
      >
        {use.kept
          ? t`Peramban tidak menghapusnya sendiri.`
          : t`Saat ruang di perangkat menipis, peramban bisa menghapusnya.`}
      </Row>
    </>
  )
}
