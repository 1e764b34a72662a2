import { useLingui } from '@lingui/react/macro'
import { Plus, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '#app/format.ts'
import { Switch } from '#tools/controls.tsx'
import { useObjectUrl } from '#tools/object-url.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import { type ChosenPicture, sendSize } from '../picture.ts'
import { AreaMarker, firstArea } from './area-marker.tsx'
import { type Desk, type DeskChange, mostPictures } from './desk.ts'
import { Options } from './options.tsx'
import { PictureFrame } from './picture-frame.tsx'
import { StartButton } from './start-button.tsx'
import { Worktable } from './worktable.tsx'

/** Chosen pictures with the tool's options, before the run. */
export function Editor({
  panel,
  desk,
  busy,
  onChange,
  onAdd,
  onStartAgain,
  onStart,
  onSignUp,
  onTopUp,
}: {
  panel: AnyToolPanel
  desk: Desk
  busy: boolean
  onChange: (change: DeskChange) => void
  onAdd: () => void
  onStartAgain: () => void
  onStart: (price: number) => void
  onSignUp: () => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const [marking, setMarking] = useState(false)
  const single = desk.pictures.length === 1 ? desk.pictures[0] : undefined
  const canMark = Boolean(panel.areaParams && single?.size)
  return (
    <Worktable
      heading={i18n._(panel.facts.label)}
      actions={
        <>
          {desk.pictures.length < mostPictures && (
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
            {canMark && (marking || desk.area) && (
              <AreaMarker area={desk.area} marking={marking} onChange={(area) => onChange({ area })} />
            )}
          </OnePicture>
        ) : (
          <ManyPictures
            pictures={desk.pictures}
            onRemove={(id) => onChange({ pictures: desk.pictures.filter((picture) => picture.id !== id) })}
          />
        )
      }
    >
      <Options
        panel={panel}
        desk={desk}
        onChange={onChange}
        area={
          canMark
            ? {
                marked: desk.area !== null,
                marking,
                onMark: () => {
                  setMarking(!marking)
                  if (!marking && !desk.area) onChange({ area: firstArea })
                },
                onClear: () => {
                  setMarking(false)
                  onChange({ area: null })
                },
              }
            : null
        }
      />
      <ShrinkNote desk={desk} onChange={(shrink) => onChange({ shrink })} />
      <StartButton
        panel={panel}
        params={desk.params}
        count={desk.pictures.length}
        busy={busy}
        onStart={onStart}
        onSignUp={onSignUp}
        onTopUp={onTopUp}
      />
    </Worktable>
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
function ShrinkNote({ desk, onChange }: { desk: Desk; onChange: (shrink: boolean) => void }) {
  const { t } = useLingui()
  const large = desk.pictures.find(({ size }) => size && sendSize(size).width < size.width)
  if (!large?.size) return null
  const { width, height } = sendSize(large.size)
  const shown = `${formatNumber(width)} × ${formatNumber(height)}`
  return (
    <Switch
      label={t`Kecilkan sebelum dikirim`}
      hint={desk.shrink ? t`Jadi ${shown} piksel, supaya hemat kuota.` : t`Dikirim dengan ukuran asli.`}
      checked={desk.shrink}
      onChange={onChange}
    />
  )
}
