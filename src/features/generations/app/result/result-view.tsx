import { Plural, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { FileText, Images, ImageUp, Repeat2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { formatNumber } from '#client/format.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { LooksButton } from '#features/looks/app/looks.tsx'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { BarButton, Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useAction } from '#ui/use-action.ts'
import type { GenerationView, OutputView } from '../../schemas.ts'
import { statusLabels } from '../labels.ts'
import { renderMutation } from '../queries.ts'
import { countFiles, mainInput, resultFiles, takesVideo } from '../studio/inputs.ts'
import { keptParams } from '../studio/kept-params.ts'
import { NoticeList } from '../studio/status-card.tsx'
import { StudioLayout } from '../studio/studio-layout.tsx'
import type { GenerationProps } from '../studio/studio-state.ts'
import { RefundNotice } from './refund-request.tsx'
import { renderable, useRerender } from './rerender.ts'
import { ResultActions } from './result-actions.tsx'
import { ResultMenu } from './result-menu.tsx'
import { ResultPicture, resultPlacement, useDecodedOutput, useResultStage } from './result-picture.tsx'
import { isPicture } from './save-picture.ts'
import { useContinueInTool } from './use-continue-in-tool.ts'

const LowCredits = lazyWithTexts(() => import('../low-credits/low-credits.tsx'), 'LowCredits', null)

export function ResultView(props: GenerationProps & { generation: GenerationView }) {
  const { page, generation, local, preview, onTryAgain } = props
  const { t, i18n } = useLingui()
  const rerender = useRerender(page, generation)
  const stage = useResultStage(page, generation, rerender)
  const [chosen, setShown] = useState(0)
  const drawing = stage?.active === true
  // Print sheets and similar outputs cannot be drawn on.
  const drawn = drawing && !resultPlacement(generation, chosen) ? 0 : chosen
  const shown = generation.outputs[drawn] ? drawn : 0
  const wanted = generation.outputs[shown]
  const decoding = useDecodedOutput(generation, shown)
  // Opened once: what is rendered again replaces it only when it is decoded, too.
  const isOpen = decoding.decoded !== undefined
  const continueIn = useContinueInTool(generation, wanted)
  const trial = page.trial?.is(generation.params) ? page.trial : undefined
  const another = takesVideo(page.definition) ? t`Video lain` : t`Foto lain`
  return (
    <StudioLayout
      heading={props.heading ?? (isOpen ? i18n._(statusLabels(generation)) : t`Membuka hasil…`)}
      back={props.back}
      actions={
        <>
          <BarButton icon={ImageUp} label={another} onClick={props.onStartAgain} />
          {page.definition.renderParams.length > 0 && (
            <LooksButton
              tool={page.definition.id}
              params={keptParams(page.definition, rerender.params)}
              onApply={(look) => rerender.apply(keptParams(page.definition, look))}
            />
          )}
          <ResultMenu {...props} output={wanted} />
        </>
      }
      notes={
        // While drawing, the brushes need the room.
        !drawing && (
          <>
            <NoticeList tone="warning" sentences={generation.warnings.map(({ msg }) => msg)} />
            <RefundNotice generation={generation} />
            <div className="empty:hidden max-lg:low:order-last">
              <LowCredits last={generation} />
            </div>
            <ResultFacts facts={generation.facts} />
          </>
        )
      }
      stage={
        <>
          <ResultPicture
            page={page}
            generation={generation}
            local={local}
            preview={preview}
            rerender={rerender}
            stage={stage}
            shown={shown}
            decoding={decoding}
          />
          {!drawing && generation.outputs.length > 1 && (
            <OutputStrip outputs={generation.outputs} shown={shown} onShow={setShown} />
          )}
        </>
      }
      footer={
        !isOpen ? (
          <Skeleton className="h-12" />
        ) : (
          <>
            {trial && onTryAgain && (
              <Button size="lg" onClick={() => onTryAgain(trial)}>
                {i18n._(trial.label)}
              </Button>
            )}
            <ResultActions
              page={page}
              generation={generation}
              shown={shown}
              rerender={rerender}
              quiet={Boolean(trial && onTryAgain)}
            />
          </>
        )
      }
    >
      {page.labels.again && wanted && (
        <Button
          variant="soft"
          busy={continueIn.isPending}
          icon={Repeat2}
          onClick={() => continueIn.mutate(page.definition.id)}
        >
          {i18n._(page.labels.again)}
        </Button>
      )}
      {props.batch && page.definition.renderParams.length > 0 && (
        <ApplyToBatch page={page} rerender={rerender} others={props.batch} />
      )}
      <Suspense fallback={<Skeleton className="h-39 lg:h-64" />}>
        <page.panel
          phase="after"
          params={rerender.params}
          onChange={rerender.change}
          files={{ ...(local && { [mainInput(page.definition)]: [local.original] }), ...rerender.files }}
          counts={countFiles(resultFiles(generation))}
          onFile={rerender.takeFile}
          stage={stage?.props ?? null}
          check={null}
          facts={generation.facts}
        />
      </Suspense>
    </StudioLayout>
  )
}

/** Drawings are not applied. */
function ApplyToBatch({
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

function ResultFacts({ facts }: { facts: GenerationView['facts'] }) {
  const { t } = useLingui()
  const { seed, likeness, studioScene, scratches } = facts
  const percent = typeof likeness === 'number' ? formatNumber(Math.round(likeness * 100)) : null
  const sentences = [
    percent !== null && t`Kemiripan wajah ${percent}%`,
    (typeof seed === 'number' || typeof seed === 'string') && t`Nomor variasi ${String(seed)}`,
    studioScene === true && t`Latar studio`,
    scratches === true && t`Ada goresan yang bisa diperbaiki`,
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2 text-sm max-lg:low:order-last">
      {sentences.map((sentence) => (
        <li key={sentence} className="rounded-full bg-soft px-3 py-1 text-on-soft">
          {sentence}
        </li>
      ))}
    </ul>
  )
}

function OutputStrip({
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
    <ul
      aria-label={t`Semua hasil`}
      className="absolute inset-x-0 bottom-0 z-2 flex justify-center-safe gap-2 overflow-x-auto p-2.5 [scrollbar-width:none]"
    >
      {outputs.map((output, index) => {
        const name = output.label ?? t`Hasil ${index + 1}`
        // Some names are only a number on the thumbnail.
        const full = Number.isInteger(Number(name)) ? t`Hasil ${name}` : name
        return (
          <li key={output.id} className="shrink-0">
            <button
              type="button"
              aria-label={full}
              aria-pressed={index === shown}
              onClick={() => onShow(index)}
              className="relative grid size-16 cursor-pointer grid-cols-[100%] grid-rows-[100%] place-items-center overflow-hidden rounded-xl border-2 border-base-100 bg-base-200 shadow-lift [&>img]:max-h-full [&>img]:max-w-full aria-pressed:outline-3 aria-pressed:outline-primary lg:size-18"
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
