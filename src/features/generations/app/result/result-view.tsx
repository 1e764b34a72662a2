import { useLingui } from '@lingui/react/macro'
import { CircleCheck, RotateCcw, TriangleAlert } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useObjectUrl } from '#tools/object-url.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import type { GenerationView } from '../../contract.ts'
import { StudioLayout } from '../studio/studio-layout.tsx'
import { statusWords } from '../words.ts'
import { useDecoded, usePreviewBase, useRerender } from './rerender.ts'
import { ResultActions } from './result-actions.tsx'
import { Viewer } from './viewer.tsx'

/** A finished result: before and after, free changes, and what to do with it. */
export function ResultView({
  panel,
  generation,
  local,
  heading,
  onStartAgain,
  onDeleted,
}: {
  panel: AnyToolPanel
  generation: GenerationView
  /** The picture on this device that it was made from, where it is still at hand. */
  local: Blob | null
  heading?: ReactNode
  onStartAgain: () => void
  onDeleted: () => void
}) {
  const { t, i18n } = useLingui()
  const rerender = useRerender(panel, generation)
  const base = usePreviewBase(panel, generation)
  const baseUrl = useObjectUrl(base)
  const localUrl = useObjectUrl(local)
  const output = useDecoded(generation.outputs[0])
  const input = useDecoded(generation.inputs[0])
  const beforeUrl = localUrl ?? input?.url ?? null

  const stale = rerender.pending || output?.id !== generation.outputs[0]?.id
  const Preview = stale && baseUrl && panel.preview?.shows(rerender.params) ? panel.preview.component : null
  const size =
    Preview && generation.inputs[0]
      ? generation.inputs[0]
      : (output ?? generation.outputs[0] ?? { width: 4, height: 3 })
  // A cropped result has another shape than its source: the two cannot lie over each other.
  const source = generation.inputs[0]
  const sameShape = source !== undefined && Math.abs(size.width / size.height - source.width / source.height) < 0.01
  const Panel = panel.panel

  return (
    <StudioLayout
      heading={
        heading ?? (
          <span className="inline-flex items-center gap-2">
            <CircleCheck aria-hidden className="size-6 shrink-0 text-success" />
            {i18n._(statusWords.succeeded)}
          </span>
        )
      }
      actions={
        <button type="button" className="btn btn-ghost px-3" onClick={onStartAgain}>
          <RotateCcw aria-hidden className="size-5" />
          <span className="max-sm:sr-only">{t`Mulai lagi`}</span>
        </button>
      }
      notes={
        generation.warnings.length > 0 && (
          <ul className="grid gap-1 rounded-field bg-warning/12 px-3.5 py-2.5 text-sm leading-snug">
            {generation.warnings.map((warning) => (
              <li key={warning.code} className="flex gap-2.5">
                <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
                {warning.msg}
              </li>
            ))}
          </ul>
        )
      }
      stage={
        <Viewer
          size={size}
          name={t`Hasil`}
          before={
            beforeUrl && sameShape ? <img src={beforeUrl} alt={t`Foto sebelum diedit`} draggable={false} /> : null
          }
          after={
            Preview && baseUrl ? (
              <Suspense fallback={null}>
                <Preview baseUrl={baseUrl} sourceUrl={beforeUrl} params={rerender.params} files={rerender.files} />
              </Suspense>
            ) : (
              output && <img src={output.url} alt={t`Hasil edit`} draggable={false} />
            )
          }
        >
          {(!output || (stale && !Preview)) && <div className="working" />}
          <p role="status" className="sr-only">
            {stale ? t`Menggambar ulang…` : t`Hasil siap`}
          </p>
        </Viewer>
      }
    >
      <Suspense fallback={<Skeleton className="h-39 lg:h-64" />}>
        <Panel
          stage="after"
          params={rerender.params}
          onChange={rerender.change}
          files={rerender.files}
          onFile={rerender.takeFile}
          area={null}
        />
      </Suspense>
      <ResultActions
        generation={generation}
        params={rerender.params}
        renderNow={rerender.renderNow}
        onDeleted={onDeleted}
      />
    </StudioLayout>
  )
}
