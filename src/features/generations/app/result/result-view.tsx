import { useLingui } from '@lingui/react/macro'
import { ImageUp, Repeat2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import { composeSimilarities, inverse, type Similarity, translationBy } from '#engine/image/geometry.ts'
import { LooksButton } from '#features/looks/app/looks.tsx'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { BarButton, Button } from '#ui/button.tsx'
import { type Size, styleAt } from '#ui/geometry.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { GenerationView } from '../../schemas.ts'
import { statusLabels } from '../labels.ts'
import { countFiles, mainInput, resultFiles, takesVideo } from '../studio/inputs.ts'
import { keptParams } from '../studio/kept-params.ts'
import { NoticeList } from '../studio/status-card.tsx'
import { StudioLayout, useIsWide } from '../studio/studio-layout.tsx'
import type { StageView } from '../studio/use-tool-stage.ts'
import { PictureFrame } from '../studio/waiting-picture.tsx'
import { CompareButton, isVideoFile, OutputFile, UnopenedResult } from './output-file.tsx'
import { RefundNotice } from './refund-request.tsx'
import { useDecoded, useDecoding, usePreviewBase, useReopenedPhoto, useRerender } from './rerender.ts'
import { ResultActions } from './result-actions.tsx'
import { ApplyToBatch, OutputStrip, RenderingSteps, ResultFacts } from './result-extras.tsx'
import { type GenerationProps, ResultMenu } from './result-menu.tsx'
import { resultPlacement, useCorrectionView, useResultStage } from './result-stage.ts'
import { useReveal } from './reveal-animation.ts'
import { isPicture } from './save-picture.ts'
import { useContinueInTool, useTryAgain } from './use-continue-in-tool.tsx'
import { Viewer } from './viewer.tsx'

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
  const photo = useReopenedPhoto(page, generation, local?.original)
  const revise = useTryAgain(generation, local?.original)
  const trial = page.trial?.is(generation.params) ? page.trial : undefined
  const isVideo = takesVideo(page.definition)
  const isWide = useIsWide()
  const another = isVideo ? t`Video lain` : t`Foto lain`
  // Below a phone's picture, where it takes no room from the options.
  const onward = (
    <>
      {page.labels.again && wanted && (
        <Button
          variant="soft"
          className="shrink-0 whitespace-nowrap [--size:min(2.75rem,48px)]"
          busy={continueIn.isPending}
          icon={Repeat2}
          onClick={() => continueIn.mutate(page.definition.id)}
        >
          {i18n._(page.labels.again)}
        </Button>
      )}
      {page.revision && revise && (
        <Button
          variant="soft"
          className="shrink-0 whitespace-nowrap [--size:min(2.75rem,48px)]"
          icon={Repeat2}
          onClick={() => revise(page.revision)}
        >
          {i18n._(page.revision.label)}
        </Button>
      )}
    </>
  )
  return (
    <StudioLayout
      heading={props.heading ?? (isOpen ? i18n._(statusLabels(generation)) : t`Membuka hasil…`)}
      back={props.back}
      actions={
        <>
          <BarButton icon={ImageUp} label={another} onClick={props.onOther} />
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
            {isWide && <ResultFacts generation={generation} />}
          </>
        )
      }
      stage={
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
      }
      below={
        !drawing && (
          <div className="flex min-w-0 items-center justify-center-safe gap-2 overflow-x-auto px-2.5 py-[min(0.375rem,8px)] [scrollbar-width:none] empty:hidden">
            {generation.outputs.length > 1 && (
              <OutputStrip outputs={generation.outputs} shown={shown} onShow={setShown} />
            )}
            {!isWide && onward}
            {!isWide && <ResultFacts generation={generation} />}
          </div>
        )
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
      <LowCredits last={generation} />
      {isWide && onward}
      {props.batch && page.definition.renderParams.length > 0 && (
        <ApplyToBatch page={page} rerender={rerender} others={props.batch} />
      )}
      <Suspense fallback={<Skeleton className="h-39 lg:h-64" />}>
        <page.panel
          phase="after"
          params={rerender.params}
          onChange={rerender.change}
          files={{ ...(photo && { [mainInput(page.definition)]: [photo] }), ...rerender.files }}
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

/** The output with its place in the photograph. */
function useDecodedOutput(generation: GenerationView, shown: number) {
  const wanted = generation.outputs[shown]
  return useDecoding(wanted && { ...wanted, placement: resultPlacement(generation, shown) })
}

/** The tool's stage while drawing; otherwise the result, compared with its input. */
function ResultPicture({
  page,
  generation,
  local,
  preview,
  rerender,
  stage,
  shown,
  decoding: { decoded: output, failed, retry },
}: Pick<GenerationProps, 'page' | 'local' | 'preview'> & {
  generation: GenerationView
  decoding: ReturnType<typeof useDecodedOutput>
  rerender: ReturnType<typeof useRerender>
  stage: StageView | null
  /** Index of the output. */
  shown: number
}) {
  const { t } = useLingui()
  const [comparing, setComparing] = useState(false)
  const wanted = generation.outputs[shown]
  const baseUrl = useObjectUrl(usePreviewBase(page, generation))
  const localUrl = useObjectUrl(local?.original)
  const previewUrl = useObjectUrl(preview?.blob)
  const source = generation.inputs[0]
  const input = useDecoded(source)
  const beforeUrl = localUrl ?? input?.url ?? null
  const reveal = useReveal(generation.id, local !== undefined, output && isPicture(output) ? output.url : null)

  const stale = rerender.pending || output?.id !== wanted?.id
  const Preview = rerender.pending && baseUrl && page.preview?.shows(rerender.params) ? page.preview.component : null
  const size = Preview && source ? source : (output ?? wanted ?? { width: 4, height: 3 })
  const placement = Preview ? translationBy(0, 0) : output ? output.placement : resultPlacement(generation, shown)
  const view = useCorrectionView(
    stage?.active === true && Array.isArray(generation.facts.places),
    output,
    source,
    output?.placement,
  )
  const Stage = stage?.active ? stage.component : null
  const beforeIn = (at: Similarity, frame: Size, className = '') =>
    beforeUrl &&
    source && (
      <img
        src={beforeUrl}
        alt={t`Foto sebelum diedit`}
        className={className}
        draggable={false}
        style={styleAt(at, source, frame)}
      />
    )
  const before = placement && beforeIn(placement, size)
  const after =
    Preview && baseUrl ? (
      <Suspense fallback={null}>
        <Preview baseUrl={baseUrl} sourceUrl={beforeUrl} params={rerender.params} files={rerender.files} />
      </Suspense>
    ) : (
      (output ?? previewUrl) && <img src={output?.url ?? previewUrl ?? ''} alt={t`Hasil edit`} draggable={false} />
    )
  const progress = (
    <>
      {((!output && !previewUrl) || (output && stale && !Preview)) && <div className="working pointer-events-none" />}
      <p role="status" className="sr-only">
        {!output ? t`Membuka hasil…` : stale ? t`Menggambar ulang…` : t`Hasil siap`}
      </p>
    </>
  )

  const [first] = generation.outputs
  const drawing = page.drawing && first && isPicture(first) && (
    <Suspense fallback={null}>
      <page.drawing params={generation.params} url={first.url} />
    </Suspense>
  )

  if (Stage && stage && source) {
    const frame = view?.frame ?? stage.frame
    return (
      <PictureFrame url={null} size={frame} alt="" over={progress}>
        <Suspense fallback={null}>
          <Stage
            picture={
              <div className="checker absolute inset-0 overflow-hidden *:pointer-events-none *:absolute *:inset-0 *:size-full">
                {view && placement ? (
                  <>
                    <div
                      className="outline-1 outline-white/70 *:absolute *:inset-0 *:size-full"
                      style={styleAt(composeSimilarities(inverse(placement), view.placement), size, frame)}
                    >
                      {after}
                    </div>
                    {beforeIn(view.placement, frame, 'opacity-25')}
                  </>
                ) : (
                  (placement && after) || before
                )}
              </div>
            }
            pictureUrl={beforeUrl}
            {...stage.props}
            view={view ?? undefined}
          />
        </Suspense>
      </PictureFrame>
    )
  }
  return (
    <>
      {wanted && isPicture(wanted) && !after ? (
        // Without a result the photograph is no side of a comparison.
        <PictureFrame
          url={beforeUrl}
          size={source ?? size}
          alt={t`Foto yang diproses`}
          over={failed ? <UnopenedResult onRetry={retry} /> : progress}
        />
      ) : wanted && !isPicture(wanted) ? (
        <OutputFile
          file={wanted}
          drawing={drawing}
          beforeUrl={comparing ? beforeUrl : null}
          progress={stale ? (generation.progress < 1 ? generation.progress : 0) : null}
        />
      ) : (
        <Viewer
          key={wanted?.label}
          size={size}
          name={t`Hasil`}
          before={before && <div className="absolute inset-0 overflow-hidden">{before}</div>}
          after={after}
          reveal={reveal}
        >
          {progress}
        </Viewer>
      )}
      <RenderingSteps generation={generation} rerender={rerender}>
        {wanted && isVideoFile(wanted) && beforeUrl && <CompareButton pressed={comparing} onPress={setComparing} />}
      </RenderingSteps>
    </>
  )
}
