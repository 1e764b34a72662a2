import { useLingui } from '@lingui/react/macro'
import {
  EllipsisVertical,
  Flag,
  Forward,
  Link2,
  type LucideIcon,
  MessageCircleWarning,
  Palette,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatDate } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import type { DevicePicture } from '#tools/browser/worker-lane.ts'
import { listedPages } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { BarButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { isShareable } from '../../rules.ts'
import type { GenerationView, OutputView } from '../../schemas.ts'
import { ReportSheet, ShareLinkSheet } from '../contributed-parts.tsx'
import type { ChosenPicture } from '../picture.ts'
import { mainInput } from '../studio/inputs.ts'
import type { Back } from '../studio/studio-layout.tsx'
import type { GenerationRecovery, StudioState } from '../studio/studio-state.ts'
import { canRequestRefund } from './refund-request.tsx'
import { isPicture } from './save-picture.ts'
import { designerToolId, useContinueInTool } from './use-continue-in-tool.tsx'

export interface GenerationProps {
  page: AnyToolPage
  id: string
  local?: ChosenPicture | undefined
  state?: StudioState | null
  preview?: DevicePicture | null
  heading?: ReactNode
  back?: Back | undefined
  batch?: readonly string[] | undefined
  details?: ReactNode
  /** Chooses another file for the same tool. */
  onOther: () => void
  onTryAgain?: ((help?: GenerationRecovery) => void) | undefined
  onDeleted: () => void
}

interface Choice {
  id: string
  icon: ReactNode
  label: string
  description?: string
  detail?: string | false | undefined
  danger?: boolean
  onChoose: () => void
}

export function ChoiceSheet({
  title,
  choices,
  disabled = false,
  onClose,
  children,
}: {
  title: string
  choices: readonly Choice[]
  disabled?: boolean
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <BottomSheet open onClose={onClose} title={title}>
      <ul className="-mx-3 grid gap-1">
        {choices.map(({ id, icon, label, description, detail, danger = false, onChoose }) => (
          <li key={id}>
            <button
              type="button"
              className={`flex min-h-13 w-full cursor-pointer items-center gap-4 rounded-field px-3 py-2 text-left font-semibold transition-colors hover:bg-base-200 ${danger ? 'text-error' : ''}`}
              disabled={disabled}
              onClick={onChoose}
            >
              {icon}
              <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4">
                <span className="min-w-[min(9rem,100%)] flex-1">
                  {label}
                  {description && <span className="block font-normal text-muted text-sm">{description}</span>}
                </span>
                {detail && <span className="font-normal text-muted text-sm tabular-nums">{detail}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {children}
    </BottomSheet>
  )
}

const RefundSheet = lazyComponent(() => import('./result-sheets.tsx'), 'RefundSheet', null)
const DeleteSheet = lazyComponent(() => import('./result-sheets.tsx'), 'DeleteSheet', null)

type ChoiceId = 'link' | 'tool' | 'designer' | 'refund' | 'report' | 'delete'

function hasOneOriginal({ inputs }: GenerationView): boolean {
  const [source, next] = inputs
  return source !== undefined && isShareable(source) && next?.input !== source.input
}

const toolsFor = (page: AnyToolPage) =>
  listedPages.filter(
    ({ definition }) =>
      definition.id !== page.definition.id && definition.inputs[mainInput(definition)]?.kind === 'picture',
  )

export function ResultMenu({
  page,
  generation,
  output,
  details,
  onDeleted,
}: GenerationProps & {
  generation: GenerationView
  output: OutputView | undefined
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState<'menu' | Exclude<ChoiceId, 'designer'> | null>(null)
  const close = () => setOpen(null)
  const continueIn = useContinueInTool(generation, output)
  const until = formatDate(generation.expiresAt)
  const choice = (id: ChoiceId, Icon: LucideIcon, label: string) => ({
    id,
    label,
    danger: id === 'delete',
    onChoose: () => (id === 'designer' ? continueIn.mutate(designerToolId) : setOpen(id)),
    icon: <Icon aria-hidden className="size-5 shrink-0" />,
  })
  const picture = output && isPicture(output)
  const choices = [
    output && isShareable(output) && choice('link', Link2, t`Bagikan lewat tautan`),
    picture && choice('tool', Forward, t`Pakai di alat lain`),
    picture && choice('designer', Palette, t`Minta desainer`),
    canRequestRefund(generation) && choice('refund', MessageCircleWarning, t`Hasilnya kurang bagus?`),
    output && choice('report', Flag, t`Laporkan hasil ini`),
    choice('delete', Trash2, t`Hapus hasil ini`),
  ]
  return (
    <>
      <BarButton
        icon={EllipsisVertical}
        label={t`Pilihan lain`}
        aria-haspopup="dialog"
        onClick={() => setOpen('menu')}
      />
      {open === 'menu' && (
        <ChoiceSheet
          title={t`Pilihan lain`}
          onClose={close}
          disabled={continueIn.isPending}
          choices={choices.filter((item) => typeof item === 'object')}
        >
          <p className="mt-3 text-muted text-sm">{t`Disimpan sampai ${until}.`}</p>
          {details}
        </ChoiceSheet>
      )}
      {open === 'link' && output && <ResultLinkSheet generation={generation} output={output} onClose={close} />}
      {open === 'tool' && <UseInToolSheet tools={toolsFor(page)} continueIn={continueIn} onClose={close} />}
      {open === 'refund' && (
        <RefundSheet generation={generation} continueIn={picture ? continueIn : null} onClose={close} />
      )}
      {open === 'report' && output && (
        <ReportSheet
          target={{ generationId: generation.id, position: generation.outputs.indexOf(output) }}
          onClose={close}
        />
      )}
      {open === 'delete' && <DeleteSheet generation={generation} onClose={close} onDeleted={onDeleted} />}
    </>
  )
}

export function ResultLinkSheet({
  generation,
  output,
  onClose,
}: {
  generation: GenerationView
  output: OutputView
  onClose: () => void
}) {
  return (
    <ShareLinkSheet
      generationId={generation.id}
      position={generation.outputs.indexOf(output)}
      hasOriginal={hasOneOriginal(generation)}
      keptUntil={generation.expiresAt}
      onClose={onClose}
    />
  )
}

function UseInToolSheet({
  tools,
  continueIn,
  onClose,
}: {
  tools: readonly AnyToolPage[]
  continueIn: ReturnType<typeof useContinueInTool>
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  return (
    <ChoiceSheet
      title={t`Pakai di alat lain`}
      disabled={continueIn.isPending}
      onClose={onClose}
      choices={tools.map(({ definition: { id, label }, icon }) => ({
        id,
        icon: <ToolIcon mark={icon} className="size-8 shrink-0" />,
        label: i18n._(label),
        onChoose: () => continueIn.mutate(id),
      }))}
    />
  )
}
