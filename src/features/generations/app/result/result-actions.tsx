import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Download, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#app/errors.ts'
import { formatBytes, formatDate } from '#app/format.ts'
import { offerInstall } from '#app/offline/install.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { BottomSheet } from '#app/ui/dialog.tsx'
import { type ImageFormat, imageFormats } from '#contract/media.ts'
import type { FileView, GenerationView } from '../../contract.ts'
import { Claim } from './claim.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { formatNames } from './format-name.ts'
import { canSharePictures, savePicture, sharePicture } from './save-picture.ts'

/** Download in any format, share, delete. */
export function ResultActions({
  generation,
  params,
  renderNow,
  onDeleted,
}: {
  generation: GenerationView
  params: Record<string, unknown>
  renderNow: (change: Record<string, unknown>) => Promise<FileView>
  onDeleted: () => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [choosing, setChoosing] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const format = (imageFormats as readonly unknown[]).includes(params.format) ? (params.format as ImageFormat) : 'png'
  const name = formatNames[format]
  const until = formatDate(generation.expiresAt)

  const save = useMutation({
    mutationFn: async (wanted: ImageFormat) => savePicture(await renderNow({ format: wanted })),
    onSuccess: () => {
      showSnackbar('success', t`Tersimpan di perangkatmu`)
      offerInstall()
    },
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const share = useMutation({
    mutationFn: async () => sharePicture(await renderNow({})),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const describe: Record<ImageFormat, string> = {
    png: t`Paling tajam, bisa transparan`,
    webp: t`Ringan, bisa transparan`,
    jpeg: t`Cocok untuk semua aplikasi, tanpa transparan`,
  }
  return (
    <div className="grid gap-2">
      <div className="flex gap-2">
        <div className="flex min-w-0 flex-1 gap-px">
          <Button
            size="lg"
            className="min-w-0 flex-1 rounded-e-none"
            busy={save.isPending}
            icon={<Download aria-hidden className="size-5" />}
            onClick={() => save.mutate(format)}
          >
            {t`Unduh ${name}`}
          </Button>
          <Button
            size="lg"
            className="rounded-s-none px-3.5"
            aria-label={t`Unduh dalam format lain`}
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            <ChevronDown aria-hidden className="size-5" />
          </Button>
        </div>
        {canSharePictures() && (
          <Button
            size="lg"
            variant="soft"
            className="px-3.5"
            aria-label={t`Bagikan`}
            busy={share.isPending}
            onClick={() => share.mutate()}
            icon={<Share2 aria-hidden className="size-5" />}
          />
        )}
        <Button
          size="lg"
          variant="ghost"
          className="px-3.5"
          aria-label={t`Hapus hasil ini`}
          onClick={() => setDeleting(true)}
        >
          <Trash2 aria-hidden className="size-5" />
        </Button>
      </div>
      <p className="text-center text-muted text-xs">{t`Mengubah hasil gratis. Disimpan sampai ${until}.`}</p>
      <Claim generation={generation} />

      <BottomSheet open={choosing} onClose={() => setChoosing(false)} title={t`Unduh sebagai`}>
        <ul className="grid gap-1.5">
          {imageFormats.map((choice) => (
            <li key={choice}>
              <button
                type="button"
                className="flex min-h-16 w-full cursor-pointer items-center gap-4 rounded-box px-4 py-2 text-left transition-colors hover:bg-base-200"
                onClick={() => {
                  setChoosing(false)
                  save.mutate(choice)
                }}
              >
                <Download aria-hidden className="size-5 shrink-0 text-primary" />
                <span className="min-w-0 flex-1">
                  <span className="block font-bold">{formatNames[choice]}</span>
                  <span className="block text-muted text-sm">{describe[choice]}</span>
                </span>
                {choice === format && generation.outputs[0] && (
                  <span className="text-muted text-sm tabular-nums">{formatBytes(generation.outputs[0].bytes)}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      </BottomSheet>
      <DeleteDialog
        generation={deleting ? generation : null}
        client={client}
        onClose={() => setDeleting(false)}
        onDeleted={onDeleted}
      />
    </div>
  )
}
