import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { optionProps, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps, StageProps, ToolFile } from '#tools/ui/page.ts'
import { useTool } from '#tools/ui/tools-query.ts'
import { FacePicker, facePositions } from '#ui/face-picker.tsx'
import type { FaceView } from '../../contract/schemas.ts'
import { type FacePair, maxPairs, type SwapFaceParams, swapFaceTool } from '../contract/definition.ts'
import { pairsNow, type SwapState, sourceFaces, targetFaces, withPairs } from './stage-state.ts'

export function SwapFacePanel(props: PanelProps<SwapFaceParams, SwapState>) {
  const { t } = useLingui()
  const { params, onChange, stage, phase, facts } = props
  const required = useTool(swapFaceTool.id)?.markRequired ?? false
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {phase === 'before' && stage && (
        <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded-2xl bg-soft p-3.5 text-on-soft text-sm leading-snug">
          <input
            type="checkbox"
            className="checkbox checked:checkbox-primary mt-0.5"
            checked={stage.state.agreed}
            onChange={(event) => {
              const agreed = event.target.checked
              stage.onChange((now) => ({ ...now, agreed }))
            }}
          />
          <span>{t`Semua orang di foto-foto ini dewasa dan setuju wajahnya ditukar.`}</span>
        </label>
      )}
      {facts.glasses === true && (
        <Switch
          label={t`Pertahankan kacamata`}
          hint={t`Kacamata di foto tujuan. Kalau dilepas, hasilnya lebih mirip wajah baru.`}
          {...optionProps(props, 'keepGlasses')}
        />
      )}
      <Switch
        label={t`Tanda “Diedit AI”`}
        hint={
          required
            ? t`Tulisan kecil di sudut foto, wajib di layanan ini.`
            : t`Tulisan kecil di sudut foto. Di dalam berkasnya, hasil selalu ditandai.`
        }
        value={required || params.mark}
        disabled={required}
        onChange={(mark) => onChange({ mark })}
      />
    </div>
  )
}

/** Source faces are dragged onto a target face, or tapped followed by a tap on the face. */
export function SwapFaceStage({ picture, size, files, state, onChange, check }: StageProps<SwapState, SwapFaceParams>) {
  const { t } = useLingui()
  const area = useRef<HTMLDivElement>(null)
  const sent = files.target?.[0]?.size ?? size
  const sources = sourceFaces(check)
  const targets = targetFaces(check)
  const pairs = pairsNow(state, files, check)

  const change = (next: (pairs: readonly FacePair[], held: number) => FacePair[]) =>
    onChange((now) => withPairs(now, next(pairsNow(now, files, check), now.held), files))
  const give = (source: number, target: number) =>
    change((now) => [...now.filter((pair) => pair.target !== target), { source, target }])
  const pick = (picked: number[]) =>
    change((now, held) => {
      const kept = now.filter(({ target }) => picked.includes(target))
      const added = picked.filter((target) => !now.some((pair) => pair.target === target))
      return [...kept, ...added.map((target) => ({ source: Math.min(held, sources.length - 1), target }))]
    })
  const dropAt = (source: number, x: number, y: number) => {
    const frame = area.current?.getBoundingClientRect()
    if (!frame) return
    const [left, top] = [(100 * (x - frame.left)) / frame.width, (100 * (y - frame.top)) / frame.height]
    const hit = facePositions(targets, sent).find(
      (face) => left > face.left && left < face.left + face.width && top > face.top && top < face.top + face.height,
    )
    if (hit) give(source, hit.index)
  }
  const portraitOf = (index: number | undefined) => {
    const face = index === undefined ? undefined : sources[index]
    const file = face && files.faces?.[face.position]
    return face && file ? <Portrait file={file} face={face} /> : null
  }

  return (
    <>
      <div ref={area} className="stage-picture">
        {picture}
        <span className="compare-tag pointer-events-none absolute top-3 left-3">{t`Tujuan`}</span>
        <FacePicker
          faces={targets}
          size={sent}
          picked={pairs.map(({ target }) => target)}
          onPick={pick}
          max={maxPairs}
          label={t`Wajah yang diganti`}
          badge={(target) => portraitOf(pairs.find((pair) => pair.target === target)?.source)}
        />
      </div>
      <fieldset
        className="stage-strip pointer-events-none fixed inset-x-3 bottom-3 z-1 flex flex-wrap items-end justify-center gap-3"
        aria-label={t`Wajah baru`}
      >
        <span className="compare-tag self-center">{t`Wajah baru`}</span>
        {sources.map((face, index) => {
          const number = index + 1
          return (
            <SourceButton
              key={`${face.position} ${face.box.x} ${face.box.y}`}
              label={t`Wajah baru ${number}`}
              pressed={index === state.held}
              onSelect={() => onChange((now) => ({ ...now, held: index }))}
              onDrop={(x, y) => dropAt(index, x, y)}
            >
              {portraitOf(index)}
            </SourceButton>
          )
        })}
      </fieldset>
    </>
  )
}

/** Pixels of movement before a drag begins. */
const dragThreshold = 8

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
  children: ReactNode
}) {
  const [drag, setDrag] = useState<{ x: number; y: number; dx: number; dy: number } | null>(null)
  const end = (event: PointerEvent) => {
    if (drag && Math.hypot(drag.dx, drag.dy) > dragThreshold) onDrop(event.clientX, event.clientY)
    setDrag(null)
  }
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      className="pointer-events-auto relative size-14 cursor-grab touch-none overflow-hidden rounded-full bg-base-200 shadow-[0_0_0_2px_#fff,0_3px_12px_rgb(24_18_12/0.4)] focus-visible:outline-4 focus-visible:outline-offset-5 aria-pressed:shadow-[0_0_0_2px_#fff,0_0_0_5px_var(--color-primary)]"
      style={drag ? { transform: `translate(${drag.dx}px, ${drag.dy}px) scale(1.15)`, zIndex: 2 } : undefined}
      onClick={onSelect}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ x: event.clientX, y: event.clientY, dx: 0, dy: 0 })
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, dx: event.clientX - drag.x, dy: event.clientY - drag.y })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      {children}
    </button>
  )
}

function Portrait({ file, face: { box } }: { file: ToolFile; face: FaceView }) {
  if (!file.url || !file.size) return null
  const side = 1.3 * Math.max(box.width, box.height)
  const left = box.x + box.width / 2 - side / 2
  const top = box.y + box.height / 2 - side / 2
  return (
    <span className="swap-portrait absolute inset-0 overflow-hidden rounded-full *:absolute *:h-auto *:max-w-none">
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
