import { useLingui } from '@lingui/react/macro'
import { Camera, ImageUp, Lightbulb, Video } from 'lucide-react'
import { useDeferredValue } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import type { AnyToolPage, ToolLabels } from '#tools/ui/page.ts'
import { ToolPicture } from '#tools/ui/tool-picture.tsx'
import { useTool } from '#tools/ui/tools-query.ts'
import { FileButton } from '#ui/file-button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { hasPreview } from '../../rules.ts'
import { acceptedTypes, askedInputs, takesSeveral, takesVideo } from './inputs.ts'
import { PasteButton } from './paste-and-drop.tsx'
import { Samples, samplesFor } from './sample-photos.tsx'
import type { StudioProps } from './studio-state.ts'

/** Phones have no room for the options yet, so they do not load them. */
const EmptyOptions = lazyWithTexts(
  () => import('./options.tsx'),
  'EmptyOptions',
  <Skeleton className="h-full max-lg:hidden" />,
)

const ReplacedNotice = lazyWithTexts(() => import('./replaced-notice.tsx'), 'ReplacedNotice', null)
const ToolOff = lazyWithTexts(() => import('./status-card.tsx'), 'ToolOff', null)

interface DropZoneProps {
  page: AnyToolPage
  over: boolean
  onFiles: (files: File[]) => void
}

export function EmptyStudio({
  page,
  state,
  over,
  dispatch,
  onFiles,
  onTopUp,
}: StudioProps & DropZoneProps & { onTopUp: () => void }) {
  const { i18n } = useLingui()
  const tool = useTool(page.definition.id)
  // The prerendered page shows the tool as available.
  const closed = useDeferredValue(tool?.enabled === false ? tool : null, null)
  return (
    <div className="empty-studio on-side:grid on-side:grid-cols-[minmax(min-content,2fr)_minmax(0,3fr)] on-side:items-start on-side:gap-6 on-side:pt-4 on-side:[&>header]:py-0">
      <PageHeader title={i18n._(page.definition.label)}>{i18n._(page.labels.intro)}</PageHeader>
      {state.replaced && (
        <div className="mb-4">
          <ReplacedNotice page={page} state={state} dispatch={dispatch} />
        </div>
      )}
      {closed ? (
        <ToolOff message={closed.message} />
      ) : (
        // As high as the window allows, since the options load later.
        <div className="grid gap-6 lg:h-[clamp(34rem,100dvh-20rem,38rem)] lg:grid-cols-[minmax(0,1fr)_25rem] lg:grid-rows-1 on-side:grid-cols-1">
          <DropZone page={page} over={over} onFiles={onFiles} />
          <EmptyOptions page={page} state={state} dispatch={dispatch} onTopUp={onTopUp} />
        </div>
      )}
    </div>
  )
}

function DropZone({ page, over, onFiles }: DropZoneProps) {
  const { t, i18n } = useLingui()
  const title = i18n._(page.definition.label)
  const video = takesVideo(page.definition)
  const examples = hasPreview(page.definition) ? samplesFor(page) : []
  const Upload = video ? Video : ImageUp
  const Record = video ? Video : Camera
  const [[, first] = [], second] = askedInputs(page)
  const input = first && second ? i18n._(first.label).toLocaleLowerCase() : null
  return (
    <section
      aria-label={video ? t`Videomu` : t`Fotomu`}
      className={`grid grid-cols-1 gap-6 ${examples.length > 0 ? 'lg:grid-rows-[1fr_auto]' : 'lg:grid-rows-1'}`}
    >
      <div
        className="drop-zone grid grid-cols-1 place-content-center justify-items-center gap-5 text-balance px-6 py-9 text-center md:py-14 lg:py-6 on-side:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] on-side:items-center on-side:gap-x-5 on-side:gap-y-3 on-side:p-5"
        data-over={over || undefined}
      >
        <ToolPicture
          tool={{ id: page.definition.id, icon: page.icon, showcase: page.showcase }}
          className="w-48 max-w-full rounded-2xl shadow-card md:w-72 on-side:row-span-2 on-side:w-full"
        />
        <div className="flex w-full max-w-xs flex-col gap-2.5">
          <FileButton
            size="lg"
            icon={Upload}
            accept={acceptedTypes(page)}
            multiple={takesSeveral(page.definition)}
            data-instant-stage={title}
            onFiles={onFiles}
          >
            {video ? t`Pilih video` : input ? t`Pilih ${input}` : t`Pilih foto`}
          </FileButton>
          <div className="flex flex-wrap gap-x-2">
            <FileButton
              variant="ghost"
              className="flex-auto px-2.5 pointer-fine:hidden"
              icon={Record}
              accept={video ? 'video/*' : 'image/*'}
              capture="environment"
              aria-label={video ? t`Rekam dengan kamera` : t`Kamera: ambil foto baru`}
              data-instant-stage={title}
              onFiles={onFiles}
            >
              {video ? t`Rekam dengan kamera` : t`Kamera`}
            </FileButton>
            {!video && <PasteButton className="flex-auto px-2.5" onFiles={onFiles} />}
          </div>
        </div>
        <p className="text-sm text-muted">
          <span className="pointer-coarse:hidden">
            {video ? t`Seret video ke sini.` : t`Seret foto ke sini, atau tempel dengan Ctrl + V.`}{' '}
          </span>
          {video ? t`MP4, MOV, atau WebM sampai 60 detik dan 100 MB.` : t`JPG, PNG, atau WebP sampai 25 MB.`}
        </p>
      </div>
      {examples.length > 0 && <Samples samples={examples} title={title} onFiles={onFiles} />}
    </section>
  )
}

export function Guide({ steps, advice }: Pick<ToolLabels, 'steps' | 'advice'>) {
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="guide" className="below-fold grid grid-cols-1 gap-5">
      <h2 id="guide" className="text-2xl font-bold">
        {t`Cara pakai`}
      </h2>
      <ol className="grid grid-cols-1 gap-3 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))] md:gap-5">
        {steps.map((step, index) => (
          <li key={step.title.id} className="card flex-row flex-wrap gap-4 p-5 md:flex-col">
            <span
              aria-hidden
              className="grid size-10 shrink-0 place-items-center rounded-2xl bg-soft text-lg font-extrabold text-on-soft"
            >
              {index + 1}
            </span>
            <div className="wrap-anywhere min-w-[min(9rem,100%)] flex-1">
              <h3 className="font-bold">{i18n._(step.title)}</h3>
              <p className="mt-1 leading-relaxed text-muted">{i18n._(step.text)}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-4 rounded-box bg-soft p-5 text-on-soft">
        <Lightbulb aria-hidden className="mt-0.5 size-6 shrink-0" />
        <div className="wrap-anywhere min-w-[min(9rem,100%)] flex-1">
          <h3 className="font-bold">{t`Supaya hasilnya bagus`}</h3>
          <p className="mt-1 leading-relaxed">{i18n._(advice)}</p>
        </div>
      </div>
    </section>
  )
}
