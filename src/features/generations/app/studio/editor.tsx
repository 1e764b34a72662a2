import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { EyeOff, ImageUp, Plus, Scaling } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { formatSize } from '#client/format.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { LooksButton } from '#features/looks/app/looks.tsx'
import type { DevicePicture } from '#tools/browser/worker-lane.ts'
import { Switch } from '#tools/ui/controls.tsx'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage, FileChoice } from '#tools/ui/page.ts'
import { BarButton } from '#ui/button.tsx'
import { exceedsLimit, isVideo, sizeToSend } from '../picture.ts'
import { ChosenFiles, InputStrip, InputZones } from './chosen-files.tsx'
import { askedInputs, mainInput, maxFiles, takesVideo } from './inputs.ts'
import { keptParams } from './kept-params.ts'
import { Options } from './options.tsx'
import { type KeptPreview, useKeptPreview } from './preview-screen.tsx'
import { NoteRow, ReplacedNotice } from './replaced-notice.tsx'
import { countSharingMarks, hasOwnMarks, setOwnMarks, stateOfGeneration } from './stage-of.ts'
import { type StartActions, StartButton } from './start-button.tsx'
import { StartProblems, useStartProblems } from './start-problems.tsx'
import { StudioLayout, useIsWide } from './studio-layout.tsx'
import {
  canExchange,
  type Dispatch,
  type FileRequest,
  type StudioEvent,
  type StudioProps,
  type StudioState,
} from './studio-state.ts'
import { usePhotoCheck } from './use-photo-check.ts'
import { useToolStage } from './use-tool-stage.ts'
import { DevicePreview, PictureFrame } from './waiting-picture.tsx'

export function Editor({
  page,
  state,
  dispatch,
  actions,
  device,
  kept,
  uploads,
  onPick,
}: StudioProps & {
  device: DevicePicture | null
  kept: KeptPreview | null
  uploads: ReactNode
  actions: StartActions
  onPick: (wanted: FileRequest) => void
}) {
  const { t, i18n } = useLingui()
  const { definition } = page
  const main = mainInput(definition)
  const pictures = state.inputs[main] ?? []
  const first = pictures[0]
  const alone = askedInputs(page).length === 1
  const several = !alone || (maxFiles(definition, main) > 1 && !definition.batch)
  const [looked, setLooked] = useState<string | null>(null)
  const oneByOne = page.stage?.batch !== undefined && definition.batch !== undefined && pictures.length > 1
  const shown = (oneByOne && pictures.find(({ id }) => id === looked)) || first
  const single = shown && (oneByOne || pictures.length === 1 || !definition.batch) ? shown : undefined
  const generation = stateOfGeneration(
    page,
    state,
    oneByOne && shown ? { ...state.inputs, [main]: [shown] } : state.inputs,
  )
  const url = useObjectUrl(single?.original)
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const check = usePhotoCheck(page, generation)
  const { sentences, current } = useStartProblems(page, state, check)
  // Wide screens show the findings below all options, so that no option moves.
  const isWide = useIsWide()
  const choice = fileChoice(page, state, (input) => onPick({ input }), dispatch)
  const stage = useToolStage(page, generation, { check: check.found, choice, dispatch })

  const live = useKeptPreview({ page, state }, kept, device)

  const alt = takesVideo(definition) ? t`Video yang kamu pilih` : t`Foto yang kamu pilih`
  const picture = url && <img src={url} alt={alt} draggable={false} />
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
    if (live?.stage) return live.stage
    if (several) return <InputZones page={page} state={state} choice={choice} />
    if (single) {
      return (
        <PictureFrame url={url} size={single.size} video={isVideo(single)} alt={alt}>
          {device && page.onDevice === 'before' && <DevicePreview page={page} picture={device} />}
          {check.checking && (
            <span
              className="pointer-events-none absolute inset-0 animate-pulse rounded-lg outline-3 outline-primary/70 -outline-offset-3"
              aria-hidden
            />
          )}
        </PictureFrame>
      )
    }
    return <ChosenFiles page={page} state={state} choice={choice} input={main} title="" layout="batch" />
  }

  const found = (
    <StartProblems
      page={page}
      sentences={sentences}
      check={check}
      onHelp={single && ((help) => dispatch({ type: 'triedAgain', picture: single, help }))}
    />
  )

  return (
    <StudioLayout
      heading={live?.onDevice ? t`Pratinjau di perangkat ini` : i18n._(definition.label)}
      actions={
        <>
          {uploads}
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
            <BarButton icon={Plus} label={t`Tambah foto`} onClick={() => onPick({ input: main })} />
          )}
          <BarButton
            icon={ImageUp}
            label={takesVideo(definition) ? t`Ganti video` : t`Ganti foto`}
            onClick={() => onPick({ afresh: true, ...(alone ? {} : { input: main }) })}
          />
        </>
      }
      stage={stageArea()}
      below={
        stage?.active &&
        oneByOne &&
        shown && (
          <div className="px-3 pt-1.5 pb-0.5">
            <InputStrip page={page} state={state} choice={choice} looking={{ shown: shown.id, onShow: setLooked }} />
          </div>
        )
      }
      notes={
        <>
          <ReplacedNotice page={page} state={state} dispatch={dispatch} />
          {live && !live.isCurrent && (
            <NoteRow icon={EyeOff} text={t`Pilihan barumu belum terlihat di pratinjau ini.`} choices={[]} />
          )}
          <SizeNote state={state} dispatch={dispatch} />
          {!isWide && found}
        </>
      }
      footer={
        <>
          {isWide && found}
          {live?.isCurrent ? (
            kept?.action
          ) : (
            <StartButton
              page={page}
              state={state}
              check={check}
              problems={current}
              rechecks={current.length < sentences.length}
              actions={actions}
              onShow={setLooked}
            />
          )}
        </>
      }
    >
      {stage?.active && several && !oneByOne && <InputStrip page={page} state={state} choice={choice} />}
      <Options page={page} state={state} dispatch={dispatch} stage={stage?.props ?? null} check={check.found} />
      {oneByOne && shown && page.stage?.batch === 'by shape' && countSharingMarks(pictures, shown) > 1 && (
        <Switch
          label={t`Tanda yang sama untuk foto seukuran`}
          value={!hasOwnMarks(state, shown)}
          onChange={(same) => dispatch({ type: 'changed', settings: (now) => setOwnMarks(page, now, shown, !same) })}
        />
      )}
    </StudioLayout>
  )
}

function fileChoice(
  page: AnyToolPage,
  state: StudioState,
  add: (input: string) => void,
  dispatch: Dispatch,
): FileChoice {
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
    ...(canExchange(page, state) && { exchange: () => dispatch({ type: 'exchanged' }) }),
  }
}

function SizeNote({ state, dispatch }: Pick<StudioProps, 'state' | 'dispatch'>) {
  const { t } = useLingui()
  const pictures = Object.values(state.inputs).flat()
  const large = pictures.find((picture) => (sizeToSend(picture, true)?.width ?? 0) < (picture.size?.width ?? 0))
  const sent = large && sizeToSend(large, state.shrink)
  if (!large || !sent) return null
  const shown = formatSize(sent)
  const toggle = {
    label: state.shrink ? t`Kirim ukuran asli` : t`Kecilkan`,
    onChoose: () => dispatch({ type: 'changed', settings: { shrink: !state.shrink } }),
  }
  return (
    <NoteRow
      icon={Scaling}
      text={state.shrink || exceedsLimit(large) ? t`Jadi ${shown} piksel` : t`Ukuran asli, ${shown} piksel`}
      choices={exceedsLimit(large) ? [] : [toggle]}
    />
  )
}
