import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import { formatNumber } from '#client/format.ts'
import { SignUpPanel } from '#features/account/app/account.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

export function SignUpSheet({
  start,
  route,
  picture,
  price,
  onClose,
  onSignedIn,
}: {
  start: 'register' | 'login'
  route: string
  picture: Blob | undefined
  /** Credits; null if no generation follows. */
  price: number | null
  onClose: () => void
  onSignedIn: () => void
}) {
  const { t } = useLingui()
  const url = useObjectUrl(picture)
  const credits = formatNumber(price ?? 0)
  return (
    <BottomSheet open onClose={onClose} title={t`Satu langkah lagi`}>
      <div className="sticky -top-6 z-2 -mx-6 mb-4 flex items-center gap-3 border-line border-b bg-base-100 px-6 py-2">
        {url && <img src={url} alt={t`Fotomu`} className="checker size-14 shrink-0 rounded-lg object-cover" />}
        <p className="text-sm leading-snug">
          {price
            ? t`Fotomu langsung diproses setelah ini: ${credits} kredit, dari kredit gratis untuk akun baru.`
            : t`Fotomu ikut, jadi tidak perlu dipilih lagi.`}
        </p>
      </div>
      <Suspense fallback={<Skeleton className="h-96" />}>
        <SignUpPanel start={start} target={route} onSignedIn={onSignedIn} />
      </Suspense>
    </BottomSheet>
  )
}
