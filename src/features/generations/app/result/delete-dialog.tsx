import { useLingui } from '@lingui/react/macro'
import { type QueryClient, useMutation } from '@tanstack/react-query'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView } from '../../types.ts'
import { deleteMutation } from '../queries.ts'

/** Asks before pictures are deleted for good. */
export function DeleteDialog({
  generation,
  client,
  onClose,
  onDeleted,
}: {
  generation: GenerationView
  client: QueryClient
  onClose: () => void
  onDeleted: () => void
}) {
  const { t } = useLingui()
  const remove = useMutation(deleteMutation(client))
  return (
    <BottomSheet open onClose={onClose} title={t`Hapus hasil ini?`}>
      <p className="text-muted leading-relaxed">
        {t`Foto asli dan hasilnya dihapus selamanya dari server. Ini tidak bisa dibatalkan.`}
      </p>
      <div className="mt-5 grid gap-2.5">
        <Button
          size="lg"
          variant="danger"
          busy={remove.isPending}
          onClick={() => {
            remove.mutate(generation.id, {
              onSuccess: () => {
                showSnackbar('success', t`Foto dan hasilnya sudah dihapus`)
                onDeleted()
              },
              onError: (error) => showSnackbar('error', errorText(error)),
            })
          }}
        >
          {t`Hapus selamanya`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>
          {t`Jangan hapus`}
        </Button>
      </div>
    </BottomSheet>
  )
}
