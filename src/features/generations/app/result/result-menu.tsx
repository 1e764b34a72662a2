import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { EllipsisVertical, Forward, type LucideIcon, MessageCircleWarning, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatDate } from '#client/format.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import type { GenerationView, OutputView } from '../../types.ts'
import { mayClaim } from './claim.tsx'
import { otherToolsFor } from './other-tools.ts'
import { isPicture } from './save-picture.ts'

/** Few ask for them. */
const ClaimSheet = lazy(async () => ({ default: (await import('./claim-sheet.tsx')).ClaimSheet }))
const UseInToolSheet = lazy(async () => ({ default: (await import('./use-in-tool-sheet.tsx')).UseInToolSheet }))
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }))

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
}: {
  page: AnyToolPage
  generation: GenerationView
  /** What is looked at. */
  output: OutputView | undefined
  /** Facts of the entry, in the history. */
  details?: ReactNode
  onDeleted: () => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [open, setOpen] = useState<'menu' | 'tool' | 'claim' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const tools = output && isPicture(output) ? otherToolsFor(page.facts.id) : []
  const until = formatDate(generation.expiresAt)
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
      <BottomSheet open={open === 'menu'} onClose={close} title={t`Pilihan lain`}>
        <ul className="-mx-3 grid">
          {tools.length > 0 && (
            <Item icon={Forward} onClick={() => setOpen('tool')}>
              {t`Pakai di alat lain`}
            </Item>
          )}
          {mayClaim(generation) && (
            <Item icon={MessageCircleWarning} onClick={() => setOpen('claim')}>
              {t`Hasilnya kurang bagus?`}
            </Item>
          )}
          <Item icon={Trash2} danger onClick={() => setOpen('delete')}>
            {t`Hapus hasil ini`}
          </Item>
        </ul>
        <p className="mt-3 text-muted text-sm">{t`Disimpan sampai ${until}.`}</p>
        {details}
      </BottomSheet>
      {output && open === 'tool' && (
        <Suspense fallback={null}>
          <UseInToolSheet open tools={tools} output={output} generationId={generation.id} onClose={close} />
        </Suspense>
      )}
      {open === 'claim' && (
        <Suspense fallback={null}>
          <ClaimSheet generation={generation} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && (
        <Suspense fallback={null}>
          <DeleteDialog generation={generation} client={client} onClose={close} onDeleted={onDeleted} />
        </Suspense>
      )}
    </>
  )
}

function Item({
  icon: Icon,
  danger = false,
  onClick,
  children,
}: {
  icon: LucideIcon
  danger?: boolean
  onClick: () => void
  children: string
}) {
  return (
    <li>
      <button
        type="button"
        className={`flex min-h-12 w-full cursor-pointer items-center gap-3.5 rounded-field px-3 text-left font-medium hover:bg-base-200 ${danger ? 'text-error' : ''}`}
        onClick={onClick}
      >
        <Icon aria-hidden className="size-5 shrink-0" />
        {children}
      </button>
    </li>
  )
}
