import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Palette } from 'lucide-react'
import { useLocation } from 'wouter'
import { errorText } from '#client/errors.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView, OutputView } from '../../types.ts'
import { saveDraft } from '../draft.ts'
import { deleteMutation } from '../queries.ts'
import { mainInput } from '../studio/inputs.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import { pictureBlob } from './save-picture.ts'

/** Asks which tool goes on with a result, or whether a designer does. */
export function UseInToolSheet({
  tools,
  output,
  generationId,
  onClose,
}: {
  tools: readonly AnyToolPage[]
  output: OutputView
  generationId: string
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const [, navigate] = useLocation()
  const carry = useMutation({
    mutationFn: async ({
      tool,
      route,
      ...draft
    }: {
      tool: string
      route: string
      input?: string
      settings?: object
    }) => {
      const { input, settings } = draft
      const file = new File([await pictureBlob(output)], output.name, { type: output.contentType })
      await saveDraft({ tool, settings, files: [{ file, output: output.id, ...(input && { input }) }] })
      navigate(route)
    },
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const designer = { tool: 'customize-edit', route: '/customize-edit', settings: { generationId } }
  return (
    <ChoiceSheet
      title={t`Pakai di alat lain`}
      disabled={carry.isPending}
      onClose={onClose}
      choices={[
        ...tools.map(({ definition, icon }) => ({
          id: definition.id,
          icon: <ToolIcon mark={icon} className="size-8 shrink-0" />,
          label: i18n._(definition.label),
          onChoose: () => carry.mutate({ tool: definition.id, route: definition.route, input: mainInput(definition) }),
        })),
        {
          id: designer.tool,
          icon: <Palette aria-hidden className="size-8 shrink-0 p-1" />,
          label: t`Minta desainer`,
          onChoose: () => carry.mutate(designer),
        },
      ]}
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
