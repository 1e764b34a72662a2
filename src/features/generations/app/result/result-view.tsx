import { useLingui } from '@lingui/react/macro'
import { ImageUp, Repeat2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { GenerationView } from '../../types.ts'
import { statusLabels } from '../labels.ts'
import type { GenerationProps } from '../studio/generation-props.ts'
import { mainInput, takesVideo } from '../studio/inputs.ts'
import { NoticeList } from '../studio/notice-list.tsx'
import { PictureFrame } from '../studio/picture-frame.tsx'
import { StudioLayout } from '../studio/studio-layout.tsx'
import { countFiles, resultFiles } from '../studio/tool-files.ts'
import { OutputFile } from './output-file.tsx'
import { OutputStrip } from './output-strip.tsx'
import { RefundNotice } from './refund-request.tsx'
import { useDecoded, usePreviewBase, useRerender } from './rerender.ts'
import { ResultActions } from './result-actions.tsx'
import { ResultFacts } from './result-facts.tsx'
import { ResultMenu } from './result-menu.tsx'
import { useReveal } from './reveal.ts'
import { isPicture } from './save-picture.ts'
import { useCarry } from './use-carry.ts'
import { useResultStage } from './use-result-stage.ts'
import { Viewer } from './viewer.tsx'

/** A finished result: before and after, free changes, and what to do with it. */
export function ResultView(props: GenerationProps & { generation: GenerationView }) {
  const { page, generation, local, preview, onTryAgain } = props
  const { t, i18n } = useLingui()
  const rerender = useRerender(page, generation)
  const stage = useResultStage(page, generation, rerender)
  const [shown, setShown] = useState(0)
  const wanted = generation.outputs[shown] ?? generation.outputs[0]
  const carry = useCarry(generation, wanted)
  const baseUrl = useObjectUrl(usePreviewBase(page, generation))
  const localUrl = useObjectUrl(local?.original)
  const previewUrl = useObjectUrl(preview?.blob)
  const output = useDecoded(wanted)
  const source = generation.inputs[0]
  const input = useDecoded(source)
  const beforeUrl = localUrl ?? input?.url ?? null
  const reveal = useReveal(generation.id, local !== undefined, output && isPicture(output) ? output.url : null)

  const stale = rerender.pending || output?.id !== wanted?.id
  const Preview = rerender.pending && baseUrl && page.preview?.shows(rerender.params) ? page.preview.component : null
  const size = Preview && source ? source : (output ?? wanted ?? { width: 4, height: 3 })
  // A cropped result has another shape than its source: the two cannot lie over each other.
  const sameShape = source !== undefined && Math.abs(size.width / size.height - source.width / source.height) < 0.01
  const rendered = generation.progress < 1 ? generation.progress : 0
  const trial = page.trial?.is(generation.params) ? page.trial : undefined
  const Panel = page.panel
  const Stage = stage?.active ? stage.component : null
  const before = beforeUrl ? <img src={beforeUrl} alt={t`Foto sebelum diedit`} draggable={false} /> : null
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
        {stale ? t`Menggambar ulang…` : t`Hasil siap`}
      </p>
    </>
  )

  function stageArea() {
    if (Stage && stage && source) {
      return (
        <PictureFrame url={null} size={stage.frame} alt="" over={progress}>
          <Suspense fallback={null}>
            <Stage
              picture={
                <div className="checker absolute inset-0 overflow-hidden *:pointer-events-none *:absolute *:inset-0 *:size-full [&>:first-child:not(:only-child)]:opacity-30">
                  {before}
                  {sameShape && after}
                </div>
              }
              pictureUrl={beforeUrl}
              {...stage.props}
            />
          </Suspense>
        </PictureFrame>
      )
    }
    if (wanted && !isPicture(wanted)) {
      return <OutputFile file={wanted} progress={stale ? rendered : null} />
    }
    return (
      <Viewer
        key={wanted?.label}
        size={size}
        name={t`Hasil`}
        before={sameShape ? before : null}
        after={after}
        reveal={reveal}
      >
        {progress}
      </Viewer>
    )
  }

  return (
    <StudioLayout
      heading={props.heading ?? i18n._(statusLabels(generation))}
      back={props.back}
      actions={
        <>
          <button type="button" className="btn btn-ghost px-3" onClick={props.onStartAgain}>
            <ImageUp aria-hidden className="size-5" />
            <span className="max-sm:sr-only">{takesVideo(page.definition) ? t`Video lain` : t`Foto lain`}</span>
          </button>
          <ResultMenu {...props} output={wanted} />
        </>
      }
      notes={
        <>
          <NoticeList tone="warning" sentences={generation.warnings.map(({ msg }) => msg)} />
          <RefundNotice generation={generation} />
          <ResultFacts facts={generation.facts} />
        </>
      }
      stage={
        <>
          {stageArea()}
          {!Stage && generation.outputs.length > 1 && (
            <OutputStrip outputs={generation.outputs} shown={shown} onShow={setShown} />
          )}
        </>
      }
      footer={
        <>
          {trial && onTryAgain && (
            <Button size="lg" onClick={() => onTryAgain(trial)}>
              {i18n._(trial.label)}
            </Button>
          )}
          <ResultActions {...{ page, generation, shown, rerender }} quiet={Boolean(trial && onTryAgain)} />
        </>
      }
    >
      {page.labels.again && wanted && (
        <Button
          variant="soft"
          busy={carry.isPending}
          icon={<Repeat2 aria-hidden className="size-5" />}
          onClick={() => carry.mutate(page.definition.id)}
        >
          {i18n._(page.labels.again)}
        </Button>
      )}
      <Suspense fallback={<Skeleton className="h-39 lg:h-64" />}>
        <Panel
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
