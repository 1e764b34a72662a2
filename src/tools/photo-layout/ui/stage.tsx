import './layout.css'
import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { useAtomValue } from 'jotai'
import { Minus, Plus, ScanFace } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isAuthenticatedAtom } from '#client/session.ts'
import { type CellView, defaultCellView, visiblePart, zoomLimits } from '#engine/tasks/layout/index.ts'
import { type Box, previewLongSide } from '#shared/media.ts'
import type { StageProps, ToolFile, ToolFiles } from '#tools/ui/page.ts'
import { arrowSteps } from '#ui/geometry.ts'
import { type PhotoLayoutParams, pageOf } from '../contract/definition.ts'
import { designOf, planPage } from '../engine/compose.ts'
import type { PageOrder } from './page-worker.ts'
import { type LayoutStage, layoutStage, orderedIds } from './stage-state.ts'
import { usePagePreview } from './use-page-preview.tsx'

/**
 * Pixels for a signed-in user; a visitor's is a sample. Either has at most half of the page's side,
 * because the device's owner can take its pixels.
 */
const maxSide = 1400

/**
 * A finger moves the picture in its cell or swaps two cells; two fingers or the wheel zoom. Keys:
 * arrows move the picture, + and − zoom, Shift+arrows swap with a neighbour.
 */
export function PhotoLayoutStage(props: StageProps<LayoutStage, PhotoLayoutParams>) {
  const { t } = useLingui()
  const { state, onChange, params, files, check, size } = props
  const stage = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [wide, setWide] = useState(0)
  const [carried, setCarried] = useState<{ from: number; to: number } | null>(null)

  const page = pageOf(params)
  const placed = orderedFiles(state, files)
  const all = { ...params, ...layoutStage.params(state, size, files, check) }
  const plan = planPage(designOf(all, placed.length), page)
  const facesOf = (id: string): Box[] => {
    const position = (files.pictures ?? []).findIndex((file) => file.id === id)
    return (check?.faces ?? [])
      .filter((face) => face.input === 'pictures' && face.position === position)
      .map(({ box }) => box)
  }
  const pictures = (files.pictures ?? []).map(({ id, size: own }) => ({
    key: id,
    size: own ?? size,
    faces: facesOf(id),
  }))
  const background = params.background.type === 'image' ? files.background?.[0] : undefined
  const logo = params.logo ? files.logo?.[0] : undefined
  const sample = !useAtomValue(isAuthenticatedAtom)
  const half = Math.max(page.width, page.height) / 2
  const previewSize = fitted(page, wide, Math.min(half, sample ? previewLongSide : maxSide))
  const order: PageOrder | null =
    wide > 0
      ? {
          kind: 'page',
          params: all,
          page: previewSize,
          pictures,
          sample,
          background: background?.id ?? null,
          logo: logo?.id ?? null,
        }
      : null
  usePagePreview(canvas, [files.pictures ?? [], background ?? [], logo ?? []].flat(), order)

  useEffect(() => {
    const element = stage.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWide(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const cellAt = (clientX: number, clientY: number): number => {
    const frame = stage.current?.getBoundingClientRect() ?? new DOMRect()
    const [x, y] = [
      ((clientX - frame.left) * page.width) / frame.width,
      ((clientY - frame.top) * page.height) / frame.height,
    ]
    return plan.cells.findIndex(
      (cell) => x >= cell.x && y >= cell.y && x < cell.x + cell.width && y < cell.y + cell.height,
    )
  }
  const viewOf = (cell: number): CellView | null => {
    const file = placed[cell]
    const box = plan.cells[cell]
    if (!file || !box) return null
    return state.views[file.id] ?? defaultCellView(file.size ?? size, box, facesOf(file.id))
  }
  const change = (cell: number, view: CellView | null) => {
    const file = placed[cell]
    if (file) onChange((now) => setView({ ...now, selected: file.id }, file.id, view))
  }
  /** In pixels of the page. */
  const pan = (cell: number, from: CellView, right: number, down: number) => {
    const [file, box] = [placed[cell], plan.cells[cell]]
    if (!file || !box) return
    const whole = file.size ?? size
    const part = visiblePart(whole, box, from)
    const scale = part.width / box.width
    const [freeX, freeY] = [whole.width - part.width, whole.height - part.height]
    change(cell, {
      zoom: from.zoom,
      x: freeX > 0.5 ? from.x - (right * scale) / freeX : from.x,
      y: freeY > 0.5 ? from.y - (down * scale) / freeY : from.y,
    })
  }
  const zoom = (cell: number, factor: number, from = viewOf(cell)) => {
    if (from) change(cell, { ...from, zoom: Math.min(zoomLimits.max, Math.max(zoomLimits.min, from.zoom * factor)) })
  }

  const gestures = useGesture(
    {
      onDrag: ({ first, last, tap, touches, pinching, cancel, canceled, initial, xy, movement: [dx, dy], memo }) => {
        if (pinching || touches > 1) {
          setCarried(null)
          if (!canceled) cancel()
          return memo
        }
        const start = first || !memo ? { cell: cellAt(initial[0], initial[1]), view: null as CellView | null } : memo
        if (start.cell < 0) return start
        start.view ??= viewOf(start.cell)
        const over = cellAt(xy[0], xy[1])
        if (tap && last) {
          const id = placed[start.cell]?.id ?? null
          onChange((now) => ({ ...now, selected: now.selected === id ? null : id }))
        } else if (over !== start.cell && over >= 0) {
          setCarried({ from: start.cell, to: over })
          if (last) onChange((now) => swapCells(now, files, start.cell, over))
        } else {
          setCarried(null)
          const perPixel = page.width / (stage.current?.clientWidth || 1)
          if (over >= 0 && start.view) pan(start.cell, start.view, dx * perPixel, dy * perPixel)
        }
        if (last) setCarried(null)
        return start
      },
      onPinch: ({ first, origin, movement: [scale], memo }) => {
        const cell = first || !memo ? cellAt(origin[0], origin[1]) : memo.cell
        const view = first || !memo ? viewOf(cell) : memo.view
        if (view) zoom(cell, scale, view)
        return { cell, view }
      },
      onWheel: ({ event, delta: [, y] }) => {
        if (!event.ctrlKey) zoom(cellAt(event.clientX, event.clientY), Math.exp(-y * 0.002))
      },
    },
    {
      drag: { filterTaps: true, pointer: { capture: true, keys: false } },
      pinch: { scaleBounds: { min: 0.2, max: 5 } },
    },
  )

  function onKeyDown(event: KeyboardEvent, cell: number) {
    const arrow = arrowSteps[event.key]
    const view = viewOf(cell)
    if (arrow && event.shiftKey) {
      const step = arrow[0] + arrow[1]
      const to = (cell + step + placed.length) % placed.length
      onChange((now) => swapCells(now, files, cell, to))
      // Focus follows the picture to its new cell.
      stage.current?.querySelectorAll<HTMLElement>('.layout-cell')[to]?.focus()
    } else if (arrow && view) pan(cell, view, -arrow[0] * 0.03 * page.width, -arrow[1] * 0.03 * page.height)
    else if (event.key === '+' || event.key === '=') zoom(cell, 1.15)
    else if (event.key === '-') zoom(cell, 1 / 1.15)
    else return
    event.preventDefault()
  }

  const selected = placed.findIndex(({ id }) => id === state.selected)
  const tool = 'btn btn-ghost btn-square'
  const chosen = carried ? undefined : plan.cells[selected]
  return (
    <div ref={stage} className="layout-stage" {...gestures()}>
      <canvas ref={canvas} aria-hidden />
      {plan.cells.map((cell, i) => (
        <button
          key={`${cell.x},${cell.y}`}
          type="button"
          className="layout-cell"
          aria-label={t`Foto ${i + 1}: panah menggeser, tambah dan kurang memperbesar, Shift dan panah menukar`}
          aria-pressed={i === selected}
          data-target={carried?.to === i || undefined}
          data-lifted={carried?.from === i || undefined}
          style={{
            left: `${(100 * cell.x) / page.width}%`,
            top: `${(100 * cell.y) / page.height}%`,
            width: `${(100 * cell.width) / page.width}%`,
            height: `${(100 * cell.height) / page.height}%`,
          }}
          onKeyDown={(event) => onKeyDown(event, i)}
        />
      ))}
      {chosen && (
        <div
          className="layout-tools absolute flex -translate-x-1/2 rounded-2xl bg-base-100/92 p-1 shadow-[0_2px_14px_rgb(0_0_0/0.25)]"
          // In its own cell, so that the others stay within reach.
          style={{
            left: `clamp(72px, ${(100 * (chosen.x + chosen.width / 2)) / page.width}%, 100% - 72px)`,
            bottom: `calc(${100 - (100 * (chosen.y + chosen.height)) / page.height}% + 4px)`,
          }}
          onPointerDown={(event) => event.stopPropagation()}
        >
          <button type="button" className={tool} aria-label={t`Perkecil foto`} onClick={() => zoom(selected, 1 / 1.2)}>
            <Minus aria-hidden className="size-5" />
          </button>
          <button type="button" className={tool} aria-label={t`Perbesar foto`} onClick={() => zoom(selected, 1.2)}>
            <Plus aria-hidden className="size-5" />
          </button>
          <button type="button" className={tool} aria-label={t`Atur otomatis`} onClick={() => change(selected, null)}>
            <ScanFace aria-hidden className="size-5" />
          </button>
        </div>
      )}
    </div>
  )
}

function fitted(page: { width: number; height: number }, wide: number, longest: number) {
  const scale = Math.min(
    1,
    (wide * Math.min(2, globalThis.devicePixelRatio || 1)) / page.width,
    longest / Math.max(page.width, page.height),
  )
  return { width: Math.max(1, Math.round(page.width * scale)), height: Math.max(1, Math.round(page.height * scale)) }
}

function orderedFiles(state: LayoutStage, files: ToolFiles): ToolFile[] {
  const byId = new Map((files.pictures ?? []).map((file) => [file.id, file]))
  return orderedIds(state, files).flatMap((id) => byId.get(id) ?? [])
}

/** Resets the positions of both pictures. */
function swapCells(state: LayoutStage, files: ToolFiles, a: number, b: number): LayoutStage {
  const order = orderedIds(state, files)
  const [first, second] = [order[a], order[b]]
  if (first === undefined || second === undefined || a === b) return state
  const views = Object.fromEntries(Object.entries(state.views).filter(([id]) => id !== first && id !== second))
  return { ...state, order: order.with(a, second).with(b, first), views, selected: null }
}

function setView(state: LayoutStage, id: string, view: CellView | null): LayoutStage {
  const { [id]: _before, ...others } = state.views
  return { ...state, views: view ? { ...others, [id]: rounded(view) } : others }
}

function rounded({ zoom, x, y }: CellView): CellView {
  const within = (value: number, low: number, high: number) =>
    Math.round(1000 * Math.min(high, Math.max(low, value))) / 1000
  return { zoom: within(zoom, zoomLimits.min, zoomLimits.max), x: within(x, 0, 1), y: within(y, 0, 1) }
}
