import { Plural, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { FileText, Images, Redo2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { onlineAtom } from '#client/connection.ts'
import { formatNumber } from '#client/format.ts'
import { useLocationNames } from '#tools/ui/locations.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'
import type { GenerationView, OutputView } from '../../schemas.ts'
import { renderMutation } from '../queries.ts'
import { renderable, type useRerender } from './rerender.ts'
import { isPicture } from './save-picture.ts'

/** Drawings are not applied. */
export function ApplyToBatch({
  page,
  others,
  rerender: { params, files },
}: {
  page: AnyToolPage
  others: readonly string[]
  rerender: ReturnType<typeof useRerender>
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const own = new Set(page.definition.pictureParams)
  const apply = useAction(async () => {
    const shared = Object.fromEntries(Object.entries(renderable(page, params)).filter(([name]) => !own.has(name)))
    for (const id of others) {
      await client.getMutationCache().build(client, renderMutation(client, id)).execute({ params: shared, files })
    }
  }, t`Semua foto sudah ikut berubah`)
  return (
    <Button variant="soft" icon={Images} busy={apply.isPending} onClick={() => apply.mutate()}>
      <Plural value={others.length} one="Terapkan ke # foto lain" other="Terapkan ke # foto lain" />
    </Button>
  )
}

export function ResultFacts({ generation: { facts, params } }: { generation: GenerationView }) {
  const { t } = useLingui()
  const locations: Readonly<Record<string, string | undefined>> = useLocationNames()
  const { seed, likeness, studioScene, scratches, scene = params.scene } = facts
  const percent = typeof likeness === 'number' ? formatNumber(Math.round(likeness * 100)) : null
  const sentences = [
    percent !== null && t`Kemiripan wajah ${percent}%`,
    studioScene === true && (locations[String(scene)] ?? t`Latar studio`),
    scratches === true && t`Ada goresan yang bisa diperbaiki`,
    (typeof seed === 'number' || typeof seed === 'string') && t`Nomor variasi ${String(seed)}`,
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return null
  return (
    <ul className="flex shrink-0 flex-wrap gap-2 text-[min(0.875rem,20px)]">
      {sentences.map((sentence) => (
        <li key={sentence} className="rounded-full bg-soft px-3 py-1 whitespace-nowrap text-on-soft">
          {sentence}
        </li>
      ))}
    </ul>
  )
}

export function OutputStrip({
  outputs,
  shown,
  onShow,
}: {
  outputs: readonly OutputView[]
  shown: number
  onShow: (index: number) => void
}) {
  const { t } = useLingui()
  return (
    <ul aria-label={t`Semua hasil`} className="flex gap-2">
      {outputs.map((output, index) => {
        // The thumbnail has room for a number only.
        const name = output.label ?? String(index + 1)
        const full = Number.isInteger(Number(name)) ? t`Hasil ${name}` : name
        return (
          <li key={output.id} className="shrink-0">
            <button
              type="button"
              aria-label={full}
              aria-pressed={index === shown}
              onClick={() => onShow(index)}
              className="relative grid size-[min(3.5rem,14vmin)] cursor-pointer grid-cols-[100%] grid-rows-[100%] place-items-center overflow-hidden rounded-xl border-2 border-base-100 bg-base-200 shadow-lift aria-pressed:-outline-offset-1 [&>img]:max-h-full [&>img]:max-w-full aria-pressed:outline-3 aria-pressed:outline-primary lg:size-18"
            >
              {isPicture(output) ? (
                <img src={output.url} alt="" loading="lazy" className="checker" />
              ) : (
                <FileText aria-hidden className="size-6 text-muted" />
              )}
              <span
                aria-hidden
                className="absolute inset-x-0 bottom-0 truncate bg-[rgb(24_18_12/0.62)] px-1 text-center text-[0.6875rem] text-white leading-4"
              >
                {name}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

export function RenderingSteps({
  generation: { rendering, inputs },
  rerender: { pending, step },
  children,
}: {
  generation: GenerationView
  rerender: ReturnType<typeof useRerender>
  children?: ReactNode
}) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const { position, oldest, newest } = rendering
  // Rendering again needs the input photos.
  const moves = newest !== oldest && inputs.length > 0
  if (!moves && !children) return null
  const steps = [
    { label: t`Kembali ke hasil sebelumnya`, icon: Undo2, to: position - 1 },
    { label: t`Maju ke hasil berikutnya`, icon: Redo2, to: position + 1 },
  ]
  return (
    <div className="absolute top-3 left-3 z-2 flex gap-2">
      {moves &&
        steps.map(({ label, icon: Icon, to }) => (
          <button
            key={label}
            type="button"
            className="btn btn-circle border-0 bg-[rgb(24_18_12/0.6)] text-white [--size:min(2.75rem,52px)] backdrop-blur-sm disabled:bg-[rgb(24_18_12/0.6)] disabled:text-white disabled:opacity-40"
            aria-label={label}
            disabled={!online || pending || to < oldest || to > newest}
            onClick={() => step(to)}
          >
            <Icon aria-hidden className="size-5" />
          </button>
        ))}
      {children}
    </div>
  )
}
