import { useLingui } from '@lingui/react/macro'
import { Copy } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'

/** A number to be typed elsewhere, with a button that copies it. */
export function CopyRow({ name, value, shown = value }: { name: string; value: string; shown?: string }) {
  const { t } = useLingui()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      showSnackbar('success', t`${name} disalin`)
    } catch {
      showSnackbar('error', t`Tidak bisa menyalin. Tekan lama nomornya untuk menyalin.`)
    }
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <div className="min-w-0">
        <p className="text-muted text-sm">{name}</p>
        <p className="select-all wrap-anywhere font-bold text-lg sm:text-xl tabular-nums">{shown}</p>
      </div>
      <Button
        variant="soft"
        className="px-3"
        icon={<Copy aria-hidden className="size-4" />}
        aria-label={t`Salin ${name}`}
        onClick={() => void copy()}
      >
        {t`Salin`}
      </Button>
    </div>
  )
}
