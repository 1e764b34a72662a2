import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '#client/errors.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView } from '../../types.ts'
import { deleteMutation } from '../queries.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import type { useCarry } from './use-carry.ts'

/** Asks which tool goes on with a result. */
export function UseInToolSheet({
  tools,
  carry,
  onClose,
}: {
  tools: readonly AnyToolPage[]
  carry: ReturnType<typeof useCarry>
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  return (
    <ChoiceSheet
      title={t`Pakai di alat lain`}
      disabled={carry.isPending}
      onClose={onClose}
      choices={tools.map(({ definition: { id, label }, icon }) => ({
        id,
        icon: <ToolIcon mark={icon} className="size-8 shrink-0" />,
        label: i18n._(label),
        onChoose: () => carry.mutate(id),
      }))}
    />
  )
}

/** Asks before pictures are deleted for good. */
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
  const remove = useMutation({
    ...deleteMutation(useQueryClient()),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const deleted = () => {
    showSnackbar('success', t`Foto dan hasilnya sudah dihapus`)
    onDeleted()
  }
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
          onClick={() => remove.mutate(generation.id, { onSuccess: deleted })}
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
