import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { formatBytes } from '#client/format.ts'
import { type ImageFormat, imageFormats } from '#contract/media.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { formatNames } from './format-name.ts'

/** Asks for the format of a download. */
export function FormatSheet({
  open,
  current,
  bytes,
  onClose,
  onChoose,
}: {
  open: boolean
  current: ImageFormat
  /** Of the file in the current format. */
  bytes: number | undefined
  onClose: () => void
  onChoose: (format: ImageFormat) => void
}) {
  const { t } = useLingui()
  const describe: Record<ImageFormat, string> = {
    png: t`Paling tajam, bisa transparan`,
    webp: t`Ringan, bisa transparan`,
    jpeg: t`Cocok untuk semua aplikasi, tanpa transparan`,
  }
  return (
    <BottomSheet open={open} onClose={onClose} title={t`Unduh sebagai`}>
      <ul className="grid gap-1.5">
        {imageFormats.map((choice) => (
          <li key={choice}>
            <button
              type="button"
              className="flex min-h-16 w-full cursor-pointer items-center gap-4 rounded-box px-4 py-2 text-left transition-colors hover:bg-base-200"
              onClick={() => onChoose(choice)}
            >
              <Download aria-hidden className="size-5 shrink-0 text-primary" />
              <span className="min-w-0 flex-1">
                <span className="block font-bold">{formatNames[choice]}</span>
                <span className="block text-muted text-sm">{describe[choice]}</span>
              </span>
              {choice === current && bytes !== undefined && (
                <span className="text-muted text-sm tabular-nums">{formatBytes(bytes)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </BottomSheet>
  )
}
