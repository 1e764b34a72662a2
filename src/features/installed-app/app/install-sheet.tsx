import { Trans, useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Plus, Share } from 'lucide-react'
import { brandName } from '#contract/brand.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { LogoMark } from '#ui/logo.tsx'
import { closeInstallSheet, install, installSheetAtom, installWayAtom } from './install.ts'

function IosSteps() {
  return (
    <ol className="grid list-decimal gap-3 pl-5 leading-relaxed">
      <li>
        <Trans>
          Ketuk <Share aria-hidden className="inline size-5 align-text-bottom" /> <strong>Bagikan</strong> di bilah
          peramban.
        </Trans>
      </li>
      <li>
        <Trans>
          Pilih <Plus aria-hidden className="inline size-5 align-text-bottom" />{' '}
          <strong>Tambahkan ke Layar Utama</strong>.
        </Trans>
      </li>
      <li>
        <Trans>
          Ketuk <strong>Tambah</strong>.
        </Trans>
      </li>
    </ol>
  )
}

export function InstallSheet() {
  const { t } = useLingui()
  const open = useAtomValue(installSheetAtom)
  const way = useAtomValue(installWayAtom)
  return (
    <BottomSheet
      open={open}
      onClose={closeInstallSheet}
      title={
        matchMedia('(pointer: fine)').matches ? t`Pasang ${brandName} di komputer ini` : t`Pasang ${brandName} di HP`
      }
    >
      <div className="grid gap-5">
        <div className="flex items-center gap-4">
          <LogoMark className="size-14 shrink-0" />
          <p className="text-muted leading-relaxed">
            {t`Terbuka sekali ketuk, juga tanpa internet. Tidak sampai 1 MB.`}
          </p>
        </div>
        {way === 'ios' && <IosSteps />}
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={closeInstallSheet}>
            {way === 'ios' ? t`Tutup` : t`Nanti saja`}
          </Button>
          {way === 'prompt' && <Button onClick={() => void install()}>{t`Pasang`}</Button>}
        </div>
      </div>
    </BottomSheet>
  )
}
