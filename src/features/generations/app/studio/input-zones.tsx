import { useLingui } from '@lingui/react/macro'
import { ImagePlus, X } from 'lucide-react'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage, FileChoice } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { isVideo } from '../picture.ts'
import { askedInputs, maxFiles } from './inputs.ts'
import type { StudioState } from './studio-state.ts'

const dropButton = 'absolute -top-1.5 -right-1.5 grid size-11 cursor-pointer place-items-center text-white'

/** What has been chosen for each of a tool's inputs, and where more can be added. */
export function InputZones({
  page,
  state,
  onAdd,
  onRemove,
}: {
  page: AnyToolPage
  state: StudioState
  onAdd: (input: string) => void
  onRemove: (input: string, id: string) => void
}) {
  const { t, i18n } = useLingui()
  return (
    <div className="stage grid content-start gap-5 overflow-y-auto p-4 md:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
      {askedInputs(page).map(([name, { label, min }]) => {
        const pictures = state.inputs[name] ?? []
        const max = maxFiles(page.facts, name)
        const title = i18n._(label)
        const count = pictures.length
        return (
          <section key={name} aria-label={title} className="grid content-start gap-2">
            <h2 className="flex items-baseline justify-between gap-3 font-semibold">
              {title}
              <span className="text-muted text-sm tabular-nums">
                {max > 1 ? t`${count} dari ${max}` : min === 0 ? t`boleh kosong` : null}
              </span>
            </h2>
            <ul className={max > 1 ? 'grid grid-cols-3 gap-2 sm:grid-cols-4' : 'grid'}>
              {pictures.map((picture, index) => (
                <li key={picture.id} className={`relative ${max > 1 ? 'aspect-square' : 'h-39 lg:h-64'}`}>
                  <SmallPicture picture={picture} whole={max === 1} />
                  <button
                    type="button"
                    className={dropButton}
                    aria-label={t`Buang ${title} ${index + 1}`}
                    onClick={() => onRemove(name, picture.id)}
                  >
                    <X aria-hidden className="size-6.5 rounded-full bg-[rgb(24_18_12/0.72)] p-1" />
                  </button>
                </li>
              ))}
              {count < max && (
                <li className={max > 1 ? 'aspect-square' : 'h-39 lg:h-64'}>
                  <button
                    type="button"
                    className="drop-zone grid size-full cursor-pointer place-content-center justify-items-center gap-1.5 text-on-soft text-sm"
                    onClick={() => onAdd(name)}
                  >
                    <ImagePlus aria-hidden className="size-6" />
                    <span className={max > 1 ? 'sr-only' : undefined}>{t`Pilih ${title}`}</span>
                  </button>
                </li>
              )}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** The same in one line below a stage that shows all pictures itself. */
export function InputStrip({ page, state, choice }: { page: AnyToolPage; state: StudioState; choice: FileChoice }) {
  const { t, i18n } = useLingui()
  return (
    <div className="flex gap-4 overflow-x-auto py-1 [scrollbar-width:none]">
      {askedInputs(page).map(([name, { label, min }]) => {
        const pictures = state.inputs[name] ?? []
        const title = i18n._(label)
        return (
          <ul key={name} aria-label={title} className="flex gap-2">
            {pictures.map((picture, index) => (
              <li key={picture.id} className="relative size-14 shrink-0">
                <SmallPicture picture={picture} />
                {pictures.length > min && (
                  <button
                    type="button"
                    className={dropButton}
                    aria-label={t`Buang ${title} ${index + 1}`}
                    onClick={() => choice.remove(name, picture.id)}
                  >
                    <X aria-hidden className="size-6.5 rounded-full bg-[rgb(24_18_12/0.72)] p-1" />
                  </button>
                )}
              </li>
            ))}
            {pictures.length < maxFiles(page.facts, name) && (
              <li className="size-14 shrink-0">
                <button
                  type="button"
                  className="drop-zone grid size-full cursor-pointer place-content-center text-on-soft"
                  aria-label={t`Pilih ${title}`}
                  onClick={() => choice.add(name)}
                >
                  <ImagePlus aria-hidden className="size-5" />
                </button>
              </li>
            )}
          </ul>
        )
      })}
    </div>
  )
}

/** The pictures of a batch, each of which can be left out. */
export function ManyPictures({
  pictures,
  onRemove,
}: {
  pictures: readonly ChosenPicture[]
  onRemove: (id: string) => void
}) {
  const { t } = useLingui()
  return (
    <ul
      className="stage grid auto-rows-min grid-cols-3 gap-2 overflow-y-auto p-2 md:grid-cols-5"
      aria-label={t`Foto yang kamu pilih`}
    >
      {pictures.map((picture, index) => (
        <li key={picture.id} className="relative aspect-square w-full">
          <SmallPicture picture={picture} />
          <button
            type="button"
            className={dropButton}
            aria-label={t`Buang foto ${index + 1}`}
            onClick={() => onRemove(picture.id)}
          >
            <X aria-hidden className="size-6.5 rounded-full bg-[rgb(24_18_12/0.72)] p-1" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function SmallPicture({ picture, whole = false }: { picture: ChosenPicture; whole?: boolean }) {
  const url = useObjectUrl(picture.original)
  if (!picture.size || !url) return <div className="size-full rounded-2xl bg-base-300" />
  const fit = `size-full rounded-2xl ${whole ? 'object-contain' : 'object-cover'}`
  if (isVideo(picture)) return <video src={url} aria-label={picture.name} muted playsInline className={fit} />
  return <img src={url} alt={picture.name} className={fit} />
}
