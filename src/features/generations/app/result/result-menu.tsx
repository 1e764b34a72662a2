import { useLingui } from '@lingui/react/macro'
import { EllipsisVertical, Forward, type LucideIcon, MessageCircleWarning, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { formatDate } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { toolPages } from '#tools/pages.ts'
import type { GenerationView, OutputView } from '../../types.ts'
import type { GenerationProps } from '../studio/generation-props.ts'
import { mainInput } from '../studio/inputs.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import { mayAskForRefund } from './refund-request.tsx'
import { DeleteSheet, UseInToolSheet } from './result-sheets.tsx'
import { isPicture } from './save-picture.ts'

/** Few ask for it. */
const RefundSheet = lazyComponent(() => import('./refund-sheet.tsx'), 'RefundSheet')

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
  const until = formatDate(generation.expiresAt)
  const tools =
    output && isPicture(output)
      ? Object.values(toolPages).filter(
          ({ definition }) =>
            definition.id !== page.definition.id && definition.inputs[mainInput(definition)]?.kind === 'picture',
        )
      : []
  const choice = (id: 'tool' | 'refund' | 'delete', Icon: LucideIcon, label: string) => ({
    ...{ id, label, danger: id === 'delete', onChoose: () => setOpen(id) },
    icon: <Icon aria-hidden className="size-5 shrink-0" />,
  })
  const choices = [
    tools.length > 0 && choice('tool', Forward, t`Pakai di alat lain`),
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
        <ChoiceSheet title={t`Pilihan lain`} onClose={close} choices={choices.filter((item) => item !== false)}>
          <p className="mt-3 text-muted text-sm">{t`Disimpan sampai ${until}.`}</p>
          {details}
        </ChoiceSheet>
      )}
      {output && open === 'tool' && (
        <UseInToolSheet tools={tools} output={output} generationId={generation.id} onClose={close} />
      )}
      {open === 'refund' && (
        <Suspense>
          <RefundSheet generation={generation} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && <DeleteSheet generation={generation} onClose={close} onDeleted={onDeleted} />}
    </>
  )
}
