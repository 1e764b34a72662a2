import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { EllipsisVertical, Forward, type LucideIcon, MessageCircleWarning, Palette, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { toolPages } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { useAction } from '#ui/use-action.ts'
import type { GenerationView, OutputView } from '../../types.ts'
import { deleteGeneration } from '../queries.ts'
import { mainInput } from '../studio/inputs.ts'
import type { GenerationProps } from '../studio/studio-state.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import { mayAskForRefund } from './refund-request.tsx'
import { isPicture } from './save-picture.ts'
import { designer, useCarry } from './use-carry.ts'

/** Few ask for it. */
const RefundSheet = lazyComponent(() => import('./refund-sheet.tsx'), 'RefundSheet', null)

const toolsFor = (page: AnyToolPage) =>
  Object.values(toolPages).filter(
    ({ definition }) =>
      definition.id !== page.definition.id && definition.inputs[mainInput(definition)]?.kind === 'picture',
  )

/**
 * What is rarely done with a result: go on in another tool, say that it is no good, delete it; and
 * how long it is kept.
 */
export function ResultMenu({
  page,
  generation,
  output,
  details,
  onDeleted,
}: GenerationProps & {
  generation: GenerationView
  /** What is looked at. */
  output: OutputView | undefined
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState<'menu' | 'tool' | 'refund' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const carry = useCarry(generation, output)
  const until = formatDate(generation.expiresAt)
  const choice = (id: 'tool' | 'designer' | 'refund' | 'delete', Icon: LucideIcon, label: string) => ({
    ...{ id, label, danger: id === 'delete' },
    onChoose: () => (id === 'designer' ? carry.mutate(designer) : setOpen(id)),
    icon: <Icon aria-hidden className="size-5 shrink-0" />,
  })
  const picture = output && isPicture(output)
  const choices = [
    picture && choice('tool', Forward, t`Pakai di alat lain`),
    picture && choice('designer', Palette, t`Minta desainer`),
    mayAskForRefund(generation) && choice('refund', MessageCircleWarning, t`Hasilnya kurang bagus?`),
    choice('delete', Trash2, t`Hapus hasil ini`),
  ]
  return (
    <>
      <IconButton
        icon={EllipsisVertical}
        label={t`Pilihan lain`}
        aria-haspopup="dialog"
        onClick={() => setOpen('menu')}
      />
      {open === 'menu' && (
        <ChoiceSheet
          title={t`Pilihan lain`}
          onClose={close}
          disabled={carry.isPending}
          choices={choices.filter((item) => typeof item === 'object')}
        >
          <p className="mt-3 text-muted text-sm">{t`Disimpan sampai ${until}.`}</p>
          {details}
        </ChoiceSheet>
      )}
      {open === 'tool' && <UseInToolSheet tools={toolsFor(page)} carry={carry} onClose={close} />}
      {open === 'refund' && <RefundSheet generation={generation} carry={picture ? carry : null} onClose={close} />}
      {open === 'delete' && <DeleteSheet generation={generation} onClose={close} onDeleted={onDeleted} />}
    </>
  )
}

function UseInToolSheet({
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

function DeleteSheet({
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
