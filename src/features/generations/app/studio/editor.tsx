import { useLingui } from '@lingui/react/macro'
import { Plus, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '#app/format.ts'
import { Switch } from '#tools/controls.tsx'
import { useObjectUrl } from '#tools/object-url.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import { type ChosenPicture, sendSize } from '../picture.ts'
import { AreaMarker, firstArea } from './area-marker.tsx'
import { Options } from './options.tsx'
import { PictureFrame } from './picture-frame.tsx'
import { StartButton } from './start-button.tsx'
import { StudioLayout } from './studio-layout.tsx'
import { maxPictures, type StudioChange, type StudioState } from './studio-state.ts'

/** Chosen pictures with the tool's options, before the run. */
export function Editor({
  panel,
  state,
  busy,
  onChange,
  onAdd,
  onStartAgain,
  onStart,
  onSignUp,
  onTopUp,
}: {
  panel: AnyToolPanel
  state: StudioState
  busy: boolean
  onChange: (change: StudioChange) => void
  onAdd: () => void
  onStartAgain: () => void
  onStart: (price: number) => void
  onSignUp: () => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const [marking, setMarking] = useState(false)
  const single = state.pictures.length === 1 ? state.pictures[0] : undefined
  const canMark = Boolean(panel.areaParams && single?.size)
  return (
    <StudioLayout
      heading={i18n._(panel.facts.label)}
      actions={
        <>
          {state.pictures.length < maxPictures && (
            <button type="button" className="btn btn-ghost px-3" onClick={onAdd}>
              <Plus aria-hidden className="size-5" />
              <span className="max-sm:sr-only">{t`Tambah foto`}</span>
            </button>
          )}
          <button type="button" className="btn btn-ghost px-3" onClick={onStartAgain}>
            <RotateCcw aria-hidden className="size-5" />
            <span className="max-sm:sr-only">{t`Ganti foto`}</span>
          </button>
        </>
      }
      stage={
        single ? (
          <OnePicture picture={single}>
            {canMark && (marking || state.area) && (
              <AreaMarker area={state.area} marking={marking} onChange={(area) => onChange({ area })} />
            )}
          </OnePicture>
        ) : (
          <ManyPictures
            pictures={state.pictures}
            onRemove={(id) => onChange({ pictures: state.pictures.filter((picture) => picture.id !== id) })}
          />
        )
      }
    >
      <Options
        panel={panel}
        state={state}
        onChange={onChange}
        area={
          canMark
            ? {
                marked: state.area !== null,
                marking,
                onMark: () => {
                  setMarking(!marking)
                  if (!marking && !state.area) onChange({ area: firstArea })
                },
                onClear: () => {
                  setMarking(false)
                  onChange({ area: null })
                },
              }
            : null
        }
      />
      <ShrinkNote state={state} onChange={(shrink) => onChange({ shrink })} />
      <StartButton
        panel={panel}
        params={state.params}
        count={state.pictures.length}
        busy={busy}
        onStart={onStart}
        onSignUp={onSignUp}
        onTopUp={onTopUp}
      />
    </StudioLayout>
  )
}

function OnePicture({ picture, children }: { picture: ChosenPicture; children?: React.ReactNode }) {
  const { t } = useLingui()
  const url = useObjectUrl(picture.original)
  return (
    <PictureFrame url={url} size={picture.size} alt={t`Foto yang kamu pilih`}>
      {children}
    </PictureFrame>
  )
}

function ManyPictures({ pictures, onRemove }: { pictures: ChosenPicture[]; onRemove: (id: string) => void }) {
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
            className="picture-drop"
            aria-label={t`Buang foto ${index + 1}`}
            onClick={() => onRemove(picture.id)}
          >
            <X aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

function SmallPicture({ picture }: { picture: ChosenPicture }) {
  const url = useObjectUrl(picture.original)
  if (!picture.size || !url) return <div className="size-full rounded-2xl bg-base-300" />
  return <img src={url} alt={picture.name} className="size-full rounded-2xl object-cover" />
}

/** Tells that large pictures travel smaller, and lets people decide otherwise. */
function ShrinkNote({ state, onChange }: { state: StudioState; onChange: (shrink: boolean) => void }) {
  const { t } = useLingui()
  const large = state.pictures.find(({ size }) => size && sendSize(size).width < size.width)
  if (!large?.size) return null
  const { width, height } = sendSize(large.size)
  const shown = `${formatNumber(width)} × ${formatNumber(height)}`
  return (
    <Switch
      label={t`Kecilkan sebelum dikirim`}
      hint={state.shrink ? t`Jadi ${shown} piksel, supaya hemat kuota.` : t`Dikirim dengan ukuran asli.`}
      checked={state.shrink}
      onChange={onChange}
    />
  )
}
