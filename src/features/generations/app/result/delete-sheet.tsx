import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '#ui/actions.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import type { GenerationView } from '../../schemas.ts'
import { deleteGeneration } from '../queries.ts'

export function DeleteSheet({
  generation,
  onClose,
  onDeleted,
}: {
  generation: GenerationView
  onClose: () => void
  onDeleted: () => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const remove = useAction(async () => {
    await deleteGeneration(client, generation.id)
    onDeleted()
  }, t`Foto dan hasilnya sudah dihapus`)
  return (
    <BottomSheet open onClose={onClose} title={t`Hapus hasil ini?`}>
      <p className="text-muted leading-relaxed">
        {t`Foto asli dan hasilnya dihapus selamanya dari server. Ini tidak bisa dibatalkan.`}
      </p>
      <div className="mt-5 grid gap-2.5">
        <Button size="lg" variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Hapus selamanya`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>
          {t`Jangan hapus`}
        </Button>
      </div>
    </BottomSheet>
  )
}
