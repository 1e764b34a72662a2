import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Redo2, Undo2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { onlineAtom } from '#client/connection.ts'
import { composeSimilarities, inverse, type Similarity, transform, translationBy } from '#engine/image/geometry.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { type Placement, outputPlacement as placeOf } from '#tools/engine/tool-engine.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { type Size, styleAt } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/paint.ts'
import type { GenerationView } from '../../schemas.ts'
import { resultFiles } from '../studio/inputs.ts'
import type { GenerationProps } from '../studio/studio-state.ts'
import type { StageView } from '../studio/use-tool-stage.ts'
import { PictureFrame } from '../studio/waiting-picture.tsx'
import { CompareButton, isVideoFile, OutputFile, UnopenedResult } from './output-file.tsx'
import { useDecoded, useDecoding, usePreviewBase, type useRerender } from './rerender.ts'
import { useReveal } from './reveal-animation.ts'
import { isPicture } from './save-picture.ts'
import { Viewer } from './viewer.tsx'

type Params = Record<string, unknown>

/** Null without a stage, or after the input was deleted. */
export function useResultStage(
  page: AnyToolPage,
  generation: GenerationView,
  rerender: { params: Params; change: (change: Params) => void; replaced: number },
): StageView | null {
  const source = generation.inputs[0]
  const [changed, setChanged] = useState<{ state: unknown; after: number } | null>(null)
  const { stage } = page
  if (!stage || !source) return null
  const files = resultFiles(generation)
  const state =
    changed?.after === rerender.replaced
      ? changed.state
      : stage.from({ ...page.definition.defaults, ...generation.params }, source, files)
  return {
    component: stage.component,
    active: stage.active(state, 'after', files),
    frame: stage.frame?.(rerender.params, state, files) ?? source,
    props: {
      size: source,
      state,
      onChange(change) {
        const next = change(state)
        setChanged({ state: next, after: rerender.replaced })
        const [now, then] = [state, next].map((of) => stage.params(of, source, files, null))
        if (then && JSON.stringify(now) !== JSON.stringify(then)) rerender.change(then)
      },
      params: rerender.params,
      onParams: rerender.change,
      files,
      choice: null,
      check: foundFaces(generation),
    },
  }
}

function foundFaces({ facts, credits }: GenerationView): PhotoCheckView | null {
  if (!Array.isArray(facts.faces)) return null
  return { credits, facts, faces: facts.faces as PhotoCheckView['faces'], warnings: [], problems: [], checks: [] }
}

/** Null where unknown, and for pages of several photographs. */
export function resultPlacement(
  { facts, outputs, inputs }: Pick<GenerationView, 'facts' | 'outputs' | 'inputs'>,
  index: number,
): Placement | null {
  const [source, ...others] = inputs
  if (others.some(({ input }) => input === source?.input)) return null
  return placeOf(facts, index, outputs[index], source)
}

/** Visible margin during correction, as a share of the result's longer side. */
const marginShare = 0.08

function viewAround(output: Size, source: Size, { subject, ...placement }: Placement): MaskView {
  const margin = marginShare * Math.max(output.width, output.height)
  const corners = [0, source.width].flatMap((x) => [0, source.height].map((y) => transform(placement, { x, y })))
  const span = (side: number, values: number[]) => {
    const from = Math.max(-margin, Math.min(0, ...values))
    return { from, length: Math.min(side + margin, Math.max(side, ...values)) - from }
  }
  const across = span(
    output.width,
    corners.map(({ x }) => x),
  )
  const down = span(
    output.height,
    corners.map(({ y }) => y),
  )
  return {
    frame: { width: across.length, height: down.length },
    placement: composeSimilarities(placement, translationBy(-across.from, -down.from)),
    subject,
  }
}

/**
 * Frozen at the first stroke, since each stroke may change the result's crop. Null while not
 * drawing, or where the mapping is unknown.
 */
function useCorrectionView(
  drawing: boolean,
  output: Size | undefined,
  source: Size | undefined,
  placement: Placement | null | undefined,
): MaskView | null {
  const known = drawing && output && source && placement
  const [kept, setKept] = useState<MaskView | null>(null)
  if (known && !kept) setKept(viewAround(output, source, placement))
  if (!drawing && kept) setKept(null)
  return kept
}

/** The output with its place in the photograph. */
export function useDecodedOutput(generation: GenerationView, shown: number) {
  const wanted = generation.outputs[shown]
  return useDecoding(wanted && { ...wanted, placement: resultPlacement(generation, shown) })
}

/** The tool's stage while drawing; otherwise the result, compared with its input. */
export function ResultPicture({
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

function RenderingSteps({
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
            className="btn btn-circle border-0 bg-[rgb(24_18_12/0.6)] text-white backdrop-blur-sm disabled:bg-[rgb(24_18_12/0.6)] disabled:text-white disabled:opacity-40"
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
