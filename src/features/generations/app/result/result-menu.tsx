import { useLingui } from '@lingui/react/macro'
import { EllipsisVertical, Forward, type LucideIcon, MessageCircleWarning, Palette, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { formatDate } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { toolPages } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { GenerationView, OutputView } from '../../types.ts'
import type { GenerationProps } from '../studio/generation-props.ts'
import { mainInput } from '../studio/inputs.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import { mayAskForRefund } from './refund-request.tsx'
import { DeleteSheet, UseInToolSheet } from './result-sheets.tsx'
import { isPicture } from './save-picture.ts'
import { designer, useCarry } from './use-carry.ts'

/** Few ask for it. */
const RefundSheet = lazyComponent(() => import('./refund-sheet.tsx'), 'RefundSheet')

/** The other tools that take a picture. */
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
      <button
        type="button"
        className="btn btn-ghost btn-square size-11"
        aria-haspopup="dialog"
        aria-label={t`Pilihan lain`}
        onClick={() => setOpen('menu')}
      >
        <EllipsisVertical aria-hidden className="size-5" />
      </button>
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
      {open === 'refund' && (
        <Suspense>
          <RefundSheet generation={generation} carry={picture ? carry : null} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && <DeleteSheet generation={generation} onClose={close} onDeleted={onDeleted} />}
    </>
  )
}
