import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Check, ImagePlus, ImageUp, Plus, Scaling, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { formatNumber } from '#client/format.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { LooksButton } from '#features/looks/app/looks.ts'
import type { DevicePicture } from '#tools/browser/messages.ts'
import { Switch } from '#tools/ui/controls.tsx'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage, FileChoice } from '#tools/ui/page.ts'
import { type ChosenPicture, exceedsLimit, isVideo, sizeToSend } from '../picture.ts'
import { askedInputs, mainInput, maxFiles, takesVideo } from './inputs.ts'
import { keptParams } from './kept-params.ts'
import { NoteRow } from './note-row.tsx'
import { Options } from './options.tsx'
import { ReplacedNotice } from './replaced-notice.tsx'
import { RunProblems, useRunProblems } from './run-problems.tsx'
import { countAlike, isAlone, setAlone, stageOf, stateOfRun } from './stage-of.ts'
import { type StartActions, StartButton } from './start-button.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { StudioEvent } from './studio-reducer.ts'
import type { Picking, StudioState } from './studio-state.ts'
import { usePhotoCheck } from './use-photo-check.ts'
import type { Dispatch, StudioProps } from './use-studio.ts'
import { useToolStage } from './use-tool-stage.ts'
import { DevicePreview, PictureFrame } from './waiting-picture.tsx'

export function Editor({
  page,
  state,
  dispatch,
  actions,
  device,
  onPick,
}: StudioProps & {
  /** What this device makes of the picture with these options. */
  device: DevicePicture | null
  actions: StartActions
  /** Asks for files. */
  onPick: (wanted: Picking) => void
}) {
  const { t, i18n } = useLingui()
  const { definition } = page
  const main = mainInput(definition)
  const pictures = state.inputs[main] ?? []
  const first = pictures[0]
  const several = askedInputs(page).length > 1 || (maxFiles(definition, main) > 1 && !definition.batch)
  const [looked, setLooked] = useState<string | null>(null)
  const oneByOne = page.stage?.batch !== undefined && definition.batch !== undefined && pictures.length > 1
  const shown = (oneByOne && pictures.find(({ id }) => id === looked)) || first
  const single = shown && (oneByOne || pictures.length === 1 || !definition.batch) ? shown : undefined
  const run = stateOfRun(page, state, oneByOne && shown ? { ...state.inputs, [main]: [shown] } : state.inputs)
  const url = useObjectUrl(single?.original)
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const check = usePhotoCheck(page, run)
  const problems = useRunProblems(page, state, check)
  const choice = fileChoice((input) => onPick({ input }), dispatch)
  const stage = useToolStage(page, run, { check: check.found, choice, dispatch })

  const picture = url && (
    <img
      src={url}
      alt={takesVideo(definition) ? t`Video yang kamu pilih` : t`Foto yang kamu pilih`}
      draggable={false}
    />
  )
  function stageArea() {
    if (stage?.active) {
      const Stage = stage.component
      return (
        <PictureFrame url={null} size={stage.frame} alt="">
          <Suspense fallback={null}>
            <Stage key={single?.id} {...stage.props} picture={picture} pictureUrl={url} />
          </Suspense>
        </PictureFrame>
      )
    }
    if (several) return <InputZones {...{ page, state, choice }} />
    if (single) {
      return (
        <PictureFrame
          url={url}
          size={single.size}
          video={isVideo(single)}
          alt={takesVideo(definition) ? t`Video yang kamu pilih` : t`Foto yang kamu pilih`}
        >
          {device && page.onDevice === 'before' && <DevicePreview {...{ page }} picture={device} />}
          {check.checking && (
            <span
              className="pointer-events-none absolute inset-0 animate-pulse rounded-lg outline-3 outline-primary/70 -outline-offset-3"
              aria-hidden
            />
          )}
        </PictureFrame>
      )
    }
    return <ChosenFiles {...{ page, state, choice }} input={main} title="" layout="batch" />
  }

  return (
    <StudioLayout
      heading={i18n._(definition.label)}
      actions={
        <>
          {signedIn && (
            <LooksButton
              tool={definition.id}
              params={keptParams(definition, state.params)}
              onApply={(look) =>
                dispatch({
                  type: 'changed',
                  settings: ({ params }) => ({ params: { ...params, ...keptParams(definition, look) } }),
                })
              }
            />
          )}
          {!several && pictures.length < maxFiles(definition, main) && (
            <button type="button" className="btn btn-ghost px-3" onClick={() => onPick({ input: main })}>
              <Plus aria-hidden className="size-5" />
              <span className="max-sm:sr-only">{t`Tambah foto`}</span>
            </button>
          )}
          <button type="button" className="btn btn-ghost px-3" onClick={() => onPick({ afresh: true })}>
            <ImageUp aria-hidden className="size-5" />
            <span className="max-sm:sr-only">{takesVideo(definition) ? t`Ganti video` : t`Ganti foto`}</span>
          </button>
        </>
      }
      stage={stageArea()}
      notes={
        <>
          <ReplacedNotice {...{ page, state, dispatch }} />
          <SizeNote {...{ state, dispatch }} />
          <RunProblems
            page={page}
            sentences={problems}
            check={check}
            onHelp={single && ((help) => dispatch({ type: 'triedAgain', picture: single, help }))}
          />
        </>
      }
      footer={<StartButton {...{ page, state, check, problems, actions }} onShow={setLooked} />}
    >
      {stage?.active && (several || oneByOne) && (
        <InputStrip
          {...{ page, state, choice }}
          {...(oneByOne && shown && { looking: { shown: shown.id, onShow: setLooked } })}
        />
      )}
      <Options {...{ page, state, dispatch }} stage={stage?.props ?? null} check={check.found} />
      {oneByOne && shown && page.stage?.batch === 'by shape' && countAlike(pictures, shown) > 1 && (
        <Switch
          label={t`Tanda yang sama untuk foto seukuran`}
          checked={!isAlone(state, shown)}
          onChange={(same) => dispatch({ type: 'changed', settings: (now) => setAlone(page, now, shown, !same) })}
        />
      )}
    </StudioLayout>
  )
}

/** How stages, zones and strips change which files are chosen. */
function fileChoice(add: (input: string) => void, dispatch: Dispatch): FileChoice {
  const rearrange = (input: string, files: Extract<StudioEvent, { type: 'rearranged' }>['files']) =>
    dispatch({ type: 'rearranged', input, files })
  return {
    add,
    remove: (input, id) => rearrange(input, (files) => files.filter((file) => file.id !== id)),
    move: (input, from, to) =>
      rearrange(input, (files) => {
        const moved = files[from]
        return moved ? files.toSpliced(from, 1).toSpliced(to, 0, moved) : files
      }),
  }
}

/** Says that large pictures are sent smaller, and lets people decide otherwise. */
function SizeNote({ state, dispatch }: Pick<StudioProps, 'state' | 'dispatch'>) {
  const { t } = useLingui()
  const pictures = Object.values(state.inputs).flat()
  const large = pictures.find((picture) => (sizeToSend(picture, true)?.width ?? 0) < (picture.size?.width ?? 0))
  const sent = large && sizeToSend(large, state.shrink)
  if (!large || !sent) return null
  const shown = `${formatNumber(sent.width)} × ${formatNumber(sent.height)}`
  const toggle = {
    label: state.shrink ? t`Kirim utuh` : t`Kecilkan`,
    onChoose: () => dispatch({ type: 'changed', settings: { shrink: !state.shrink } }),
  }
  return (
    <NoteRow
      icon={Scaling}
      text={state.shrink || exceedsLimit(large) ? t`Jadi ${shown} piksel` : t`Utuh, ${shown} piksel`}
      choices={exceedsLimit(large) ? [] : [toggle]}
    />
  )
}

const layouts = {
  single: { list: 'grid', item: 'h-39 lg:h-64' },
  several: { list: 'grid grid-cols-3 gap-2 sm:grid-cols-4', item: 'aspect-square' },
  strip: { list: 'flex gap-2', item: 'size-14 shrink-0' },
  batch: {
    list: 'stage grid auto-rows-min grid-cols-3 gap-2 overflow-y-auto p-2 md:grid-cols-5',
    item: 'aspect-square w-full',
  },
} as const

interface ChosenFilesProps {
  page: AnyToolPage
  state: StudioState
  choice: FileChoice
  input: string
  /** What one of them is called. */
  title: string
  layout: keyof typeof layouts
  /** Where one of a batch is looked at. */
  looking?: { shown: string; onShow: (picture: string) => void } | undefined
}

/** The files of an input, each of which can be put away, and where more can be added. */
function ChosenFiles({ page, state, choice, input, title, layout, looking }: ChosenFilesProps) {
  const { t } = useLingui()
  const { list, item } = layouts[layout]
  const files = state.inputs[input] ?? []
  const alone = askedInputs(page).length === 1
  const least = layout === 'strip' ? (page.definition.inputs[input]?.min ?? 0) : 0
  return (
    <ul
      className={list}
      aria-label={layout === 'batch' ? t`Foto yang kamu pilih` : layout === 'strip' ? title : undefined}
    >
      {files.map((file, index) => (
        <li key={file.id} className={`relative ${item}`}>
          {looking ? (
            <button
              type="button"
              aria-label={t`Lihat foto ${index + 1}`}
              aria-pressed={file.id === looking.shown}
              className="relative size-full cursor-pointer rounded-2xl aria-pressed:outline-3 aria-pressed:outline-primary"
              onClick={() => looking.onShow(file.id)}
            >
              <Thumbnail file={file} fit="object-cover" />
              {isMarked(page, state, file) && (
                <Check
                  aria-label={t`Sudah ditandai`}
                  className="absolute inset-x-0 bottom-0 mx-auto size-5 rounded-full bg-primary p-1 text-primary-content"
                />
              )}
            </button>
          ) : (
            <Thumbnail file={file} fit={layout === 'single' ? 'object-contain' : 'object-cover'} />
          )}
          {files.length > least && (!looking || file.id === looking.shown) && (
            <button
              type="button"
              className="absolute -top-1.5 -right-1.5 grid size-11 cursor-pointer place-items-center text-white"
              aria-label={alone ? t`Buang foto ${index + 1}` : t`Buang ${title} ${index + 1}`}
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
            <span className={layout === 'single' ? undefined : 'sr-only'}>
              {alone ? t`Tambah foto` : t`Pilih ${title}`}
            </span>
          </button>
        </li>
      )}
    </ul>
  )
}

/** Whether what a picture's stage asks for is done, where each has a stage of its own. */
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

function InputZones(props: InputsProps) {
  const { t, i18n } = useLingui()
  return (
    <div className="stage grid content-start gap-5 overflow-y-auto p-4 md:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
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

/** The same in one line below a stage that shows all pictures itself. */
function InputStrip({ looking, ...props }: InputsProps) {
  const { i18n } = useLingui()
  return (
    <div className="flex gap-4 overflow-x-auto p-1 [scrollbar-width:none]">
      {askedInputs(props.page).map(([input, { label }]) => (
        <ChosenFiles
          key={input}
          {...props}
          input={input}
          title={i18n._(label)}
          layout="strip"
          looking={input === mainInput(props.page.definition) ? looking : undefined}
        />
      ))}
    </div>
  )
}
