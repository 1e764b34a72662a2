import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Share } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatBytes } from '#client/format.ts'
import { canShare, fileToSaveAtom } from '#client/save-blob.ts'
import { Button } from './button.tsx'
import { BottomSheet } from './dialog.tsx'
import { useAction } from './use-action.ts'

/** Saves a file in an app on the home screen of iOS, which has no downloads. */
export function SaveSheet() {
  const { t } = useLingui()
  const waiting = useAtomValue(fileToSaveAtom)
  const file = waiting?.file
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      setAddress(undefined)
      URL.revokeObjectURL(made)
    }
  }, [file])
  const share = useAction(async () => {
    if (!waiting) return
    await navigator.share({ files: [waiting.file] })
    waiting.onSaved()
  })
  if (!waiting) return null
  const { name, size } = waiting.file
  const sharable = canShare(waiting.file)
  return (
    <BottomSheet open onClose={waiting.onClose} title={t`Simpan berkas`}>
      <div className="grid grid-cols-1 gap-4">
        {address && <img src={address} alt="" className="checker mx-auto max-h-80 rounded-field" />}
        <p className="wrap-anywhere text-sm">
          <strong>{name}</strong> · {formatBytes(size)}
        </p>
        {sharable ? (
          <Button size="lg" icon={Share} busy={share.isPending} onClick={() => share.mutate()}>
            {t`Simpan atau bagikan`}
          </Button>
        ) : (
          <p className="text-sm leading-relaxed">
            {address
              ? t`Tekan lama gambarnya, lalu pilih Simpan ke Foto.`
              : t`Perangkat ini tidak bisa menyimpannya dari aplikasi. Buka halaman ini di Safari, lalu unduh dari sana.`}
          </p>
        )}
      </div>
    </BottomSheet>
  )
}
