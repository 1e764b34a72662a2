import { Trans, useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Plus, Share } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { brandName } from '#shared/brand.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { LogoMark } from '#ui/logo.tsx'
import { ExternalBrowserLink } from './external-browser-link.tsx'
import {
  closeInstallSheet,
  externalBrowserNames,
  type InAppSystem,
  inAppAtom,
  install,
  installSheetAtom,
  installWayAtom,
} from './install.ts'

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

function WayOut({ system, result }: { system: InAppSystem; result: string | null }) {
  const { t } = useLingui()
  const browser = externalBrowserNames[system]
  const carries = useSearchParams()[0].has('options')
  return (
    <div className="grid gap-4">
      <p className="text-muted leading-relaxed">
        {result
          ? t`Kalau hasilnya tidak muncul di HP-mu, buka di ${browser}. Setelah masuk di sana, hasil ini langsung terbuka.`
          : t`Kamu membukanya di dalam aplikasi lain. Di ${browser}, hasilnya bisa diunduh dan ${brandName} bisa dipasang.`}
        {!result && carries && ` ${t`Pilihanmu ikut; fotonya pilih lagi di sana.`}`}
      </p>
      <ExternalBrowserLink system={system} result={result} />
      {system === 'ios' && (
        <p className="text-muted text-sm leading-relaxed">
          {t`Tidak terbuka? Ketuk tanda ••• di pojok, lalu pilih “Buka di browser”.`}
        </p>
      )}
      <Button variant="ghost" onClick={closeInstallSheet}>
        {t`Tetap di sini`}
      </Button>
    </div>
  )
}

export function InstallSheet() {
  const { t } = useLingui()
  const offered = useAtomValue(installSheetAtom)
  const open = offered !== false
  const way = useAtomValue(installWayAtom)
  const system = useAtomValue(inAppAtom)
  if (system) {
    return (
      <BottomSheet
        open={open}
        onClose={closeInstallSheet}
        title={system === 'android' ? t`Lanjut di Chrome?` : t`Lanjut di Safari?`}
      >
        <WayOut system={system} result={typeof offered === 'string' ? offered : null} />
      </BottomSheet>
    )
  }
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
