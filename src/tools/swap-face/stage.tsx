import './stage.css'
import { useLingui } from '@lingui/react/macro'
import { type PointerEvent, useRef, useState } from 'react'
import { FacePicker } from '#app/ui/face-picker/face-picker.tsx'
import { facePlaces } from '#app/ui/face-picker/faces.ts'
import type { FaceView } from '#features/generations/contract.ts'
import type { StageProps, ToolFile } from '../page.ts'
import { maxPairs, type SwapFaceParams } from './contract.ts'
import { pairsNow, type SourceFace, type SwapState, sourceFaces, targetFaces } from './stage-state.ts'

type Source = SourceFace & { view: FaceView }
type Props = StageProps<SwapState, SwapFaceParams>

/** The target picture with its faces, and below it the new faces: dragged onto a face, or tapped and then the face tapped. */
export function SwapFaceStage({ picture, size, files, state, onChange, inspection }: Props) {
  const { t } = useLingui()
  const area = useRef<HTMLDivElement>(null)
  const sent = files.target?.[0]?.size ?? size
  const sources = sourceFaces(files, inspection)
  const targets = targetFaces(inspection)
  const pairs = pairsNow(state, files, inspection)
  const held = sources.find((source) => isSame(source, state.held)) ?? sources[0]

  const setPairs = (change: (pairs: Record<number, SourceFace>) => Record<number, SourceFace>) =>
    onChange((now) => {
      const from = pairsNow(now, files, inspection)
      const known = from.flatMap(({ source, target }) => {
        const face = sources[source]
        return face ? [[target, { file: face.file, face: face.face }] as const] : []
      })
      return { ...now, pairs: change(Object.fromEntries(known)) }
    })
  const give = (source: Source, target: number) =>
    setPairs((now) => ({ ...now, [target]: { file: source.file, face: source.face } }))
  const pick = (picked: number[]) => {
    const added = picked.find((target) => !pairs.some((pair) => pair.target === target))
    if (added !== undefined && held) give(held, added)
    else
      setPairs((now) => Object.fromEntries(Object.entries(now).filter(([target]) => picked.includes(Number(target)))))
  }
  const dropAt = (source: Source, x: number, y: number) => {
    const frame = area.current?.getBoundingClientRect()
    if (!frame) return
    const [left, top] = [(100 * (x - frame.left)) / frame.width, (100 * (y - frame.top)) / frame.height]
    const hit = facePlaces(targets, sent).find(
      (face) => left > face.left && left < face.left + face.width && top > face.top && top < face.top + face.height,
    )
    if (hit) give(source, hit.index)
  }
  const portraitOf = (source: Source | undefined) => {
    const file = source && files.faces?.find(({ id }) => id === source.file)
    return source && file ? <Portrait file={file} face={source.view} /> : null
  }

  return (
    <div ref={area} className="swap-stage">
      {picture}
      <FacePicker
        faces={targets}
        size={sent}
        picked={pairs.map(({ target }) => target)}
        onPick={pick}
        max={maxPairs}
        label={t`Wajah yang diganti`}
        badge={(target) => portraitOf(sources[pairs.find((pair) => pair.target === target)?.source ?? -1])}
      />
      {sources.length > 0 && (
        <fieldset className="swap-sources" aria-label={t`Wajah baru`}>
          {numbered(sources).map(({ source, number }) => (
            <SourceButton
              key={`${source.file}:${source.face}`}
              label={t`Wajah baru ${number}`}
              pressed={isSame(source, held ?? null)}
              onSelect={() => onChange((now) => ({ ...now, held: { file: source.file, face: source.face } }))}
              onDrop={(x, y) => dropAt(source, x, y)}
            >
              {portraitOf(source)}
            </SourceButton>
          ))}
        </fieldset>
      )}
    </div>
  )
}

const numbered = (sources: readonly Source[]) => sources.map((source, i) => ({ source, number: i + 1 }))

const isSame = (a: SourceFace, b: SourceFace | null) => b !== null && a.file === b.file && a.face === b.face

/** A face that can be tapped, and dragged with a finger or the mouse. */
function SourceButton({
  label,
  pressed,
  onSelect,
  onDrop,
  children,
}: {
  label: string
  pressed: boolean
  onSelect: () => void
  onDrop: (x: number, y: number) => void
  children: React.ReactNode
}) {
  const [drag, setDrag] = useState<{ x: number; y: number; dx: number; dy: number } | null>(null)
  const move = (event: PointerEvent) => {
    if (drag) setDrag({ ...drag, dx: event.clientX - drag.x, dy: event.clientY - drag.y })
  }
  const end = (event: PointerEvent) => {
    if (drag && Math.hypot(drag.dx, drag.dy) > 8) onDrop(event.clientX, event.clientY)
    setDrag(null)
  }
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      className="swap-source"
      style={drag ? { transform: `translate(${drag.dx}px, ${drag.dy}px) scale(1.15)`, zIndex: 2 } : undefined}
      onClick={onSelect}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ x: event.clientX, y: event.clientY, dx: 0, dy: 0 })
        onSelect()
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      {children}
    </button>
  )
}

/** A face cut out of its picture by moving the whole picture behind a round opening. */
function Portrait({ file, face }: { file: ToolFile; face: FaceView }) {
  if (!file.url || !file.size) return null
  const side = 1.3 * Math.max(face.box.width, face.box.height)
  const left = face.box.x + face.box.width / 2 - side / 2
  const top = face.box.y + face.box.height / 2 - side / 2
  return (
    <span className="swap-portrait">
      <img
        src={file.url}
        alt=""
        draggable={false}
        style={{
          width: `${(100 * file.size.width) / side}%`,
          left: `${(-100 * left) / side}%`,
          top: `${(-100 * top) / side}%`,
        }}
      />
    </span>
  )
}
