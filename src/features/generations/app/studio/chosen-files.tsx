import { useLingui } from '@lingui/react/macro'
import { ArrowLeftRight, Check, ImagePlus, X } from 'lucide-react'
import { Fragment } from 'react'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage, FileChoice } from '#tools/ui/page.ts'
import { IconButton } from '#ui/button.tsx'
import { type ChosenPicture, isVideo } from '../picture.ts'
import { askedInputs, mainInput, maxFiles } from './inputs.ts'
import { stageOf } from './stage-of.ts'
import type { StudioState } from './studio-state.ts'

const layouts = {
  single: { list: 'grid', item: 'h-39 lg:h-64' },
  several: { list: 'grid grid-cols-3 gap-2 sm:grid-cols-4', item: 'aspect-square' },
  strip: { list: 'flex gap-2', item: 'size-14 shrink-0' },
  batch: {
    // A few pictures fill the stage's width and stand in its middle.
    list: 'stage grid auto-rows-min grid-cols-[repeat(auto-fit,minmax(110px,1fr))] content-center-safe gap-2 overflow-y-auto p-2 md:grid-cols-[repeat(auto-fit,minmax(190px,1fr))]',
    item: 'aspect-square w-full',
  },
} as const

interface ChosenFilesProps {
  page: AnyToolPage
  state: StudioState
  choice: FileChoice
  input: string
  title: string
  layout: keyof typeof layouts
  looking?: { shown: string; onShow: (picture: string) => void } | undefined
}

export function ChosenFiles({ page, state, choice, input, title, layout, looking }: ChosenFilesProps) {
  const { t } = useLingui()
  const { list, item } = layouts[layout]
  const files = state.inputs[input] ?? []
  const alone = askedInputs(page).length === 1
  const name = title.toLocaleLowerCase()
  return (
    <ul
      className={list}
      aria-label={layout === 'batch' ? t`Foto yang kamu pilih` : layout === 'strip' ? title : undefined}
    >
      {files.map((file, index) => (
        <li key={file.id} className={`relative ${looking ? 'h-14 w-16 shrink-0' : item}`}>
          {looking ? (
            <button
              type="button"
              aria-label={t`Lihat foto ${index + 1}`}
              aria-pressed={file.id === looking.shown}
              className="relative size-full cursor-pointer rounded-2xl aria-pressed:outline-3 aria-pressed:outline-primary"
              onClick={() => looking.onShow(file.id)}
            >
              <Thumbnail file={file} fit="thumbnail-picture" />
              {isMarked(page, state, file) && (
                <Check
                  aria-label={t`Sudah ditandai`}
                  className="absolute inset-x-0 bottom-0 mx-auto size-5 rounded-full bg-primary p-1 text-primary-content"
                />
              )}
            </button>
          ) : (
            <Thumbnail file={file} fit={layout === 'single' ? 'object-contain' : 'thumbnail-picture'} />
          )}
          {(!looking || file.id === looking.shown) && (
            <button
              type="button"
              className="absolute -top-1.5 -right-1.5 grid size-11 cursor-pointer place-items-center text-white"
              aria-label={alone ? t`Buang foto ${index + 1}` : t`Buang ${name} ${index + 1}`}
              onClick={() => choice.remove(input, file.id)}
            >
              <X aria-hidden className="size-6.5 rounded-full bg-[rgb(24_18_12/0.72)] p-1" />
            </button>
          )}
        </li>
      ))}
      {layout !== 'batch' && files.length < maxFiles(page.definition, input) && (
        <li className={item}>
          <button
            type="button"
            className="drop-zone grid size-full cursor-pointer place-content-center justify-items-center gap-1.5 text-on-soft text-sm"
            onClick={() => choice.add(input)}
          >
            <ImagePlus aria-hidden className={layout === 'strip' ? 'size-5' : 'size-6'} />
            <span className={layout === 'strip' ? 'sr-only' : 'px-1 text-center leading-tight'}>
              {alone ? t`Tambah foto` : t`Pilih ${name}`}
            </span>
          </button>
        </li>
      )}
    </ul>
  )
}

const isMarked = ({ stage, ...page }: AnyToolPage, state: StudioState, file: ChosenPicture) =>
  stage?.batch === 'by shape' && !stage.missing?.(stageOf({ ...page, stage }, state, file), null)

function Thumbnail({ file, fit }: { file: ChosenPicture; fit: string }) {
  const url = useObjectUrl(file.original)
  const className = `size-full rounded-2xl ${fit}`
  if (!file.size || !url) return <div className="size-full rounded-2xl bg-base-300" />
  if (isVideo(file)) return <video src={url} aria-label={file.name} muted playsInline className={className} />
  return <img src={url} alt={file.name} className={className} />
}

type InputsProps = Pick<ChosenFilesProps, 'page' | 'state' | 'choice' | 'looking'>

export function InputZones(props: InputsProps) {
  const { t, i18n } = useLingui()
  return (
    <div className="input-zones stage grid content-start gap-5 overflow-y-auto px-4 pb-4 md:grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))]">
      {askedInputs(props.page).map(([input, { label, min }]) => {
        const max = maxFiles(props.page.definition, input)
        const title = i18n._(label)
        const count = props.state.inputs[input]?.length ?? 0
        return (
          <section key={input} aria-label={title} className="grid content-start gap-2">
            <h2 className="flex items-baseline justify-between gap-3 font-semibold">
              {title}
              <span className="text-muted text-sm tabular-nums">
                {max > 1 ? t`${count} dari ${max}` : min === 0 ? t`boleh kosong` : null}
              </span>
            </h2>
            <ChosenFiles {...props} input={input} title={title} layout={max > 1 ? 'several' : 'single'} />
          </section>
        )
      })}
    </div>
  )
}

export function InputStrip({ looking, ...props }: InputsProps) {
  const { t, i18n } = useLingui()
  const asked = askedInputs(props.page)
  return (
    <div className="flex items-end gap-4 overflow-x-auto p-1 [scrollbar-width:none]">
      {asked.map(([input, { label }], index) => (
        <Fragment key={input}>
          {index > 0 && props.choice.exchange && (
            <IconButton
              icon={ArrowLeftRight}
              label={t`Tukar peran`}
              title={t`Tukar peran`}
              className="-mx-3 mb-1.5 shrink-0"
              onClick={props.choice.exchange}
            />
          )}
          <div className="grid gap-1.5">
            {asked.length > 1 && (
              <span aria-hidden className="font-semibold text-xs leading-none">
                {i18n._(label)}
              </span>
            )}
            <ChosenFiles
              {...props}
              input={input}
              title={i18n._(label)}
              layout="strip"
              looking={input === mainInput(props.page.definition) ? looking : undefined}
            />
          </div>
        </Fragment>
      ))}
    </div>
  )
}
