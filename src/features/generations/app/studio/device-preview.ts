import { useEffect, useRef, useState } from 'react'
import { reducedBitmapOf } from '#client/reduced-bitmap.ts'
import type { DevicePicture, PreviewTask } from '#tools/browser/worker-lane.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { devicePreviewSide, previewSize } from '../picture.ts'
import { generationParams, generationsOf, mainInput, picturesOf } from './inputs.ts'
import type { StudioState } from './studio-state.ts'

/**
 * Milliseconds without a change before the device computes; a newly chosen picture starts at once.
 */
const debounceMs = 250

/**
 * Null once the server has the result. `keepsLast` shows the last preview until the next is drawn,
 * instead of the plain photo.
 */
export function useDevicePreview(
  page: AnyToolPage,
  state: StudioState,
  keepsLast = page.onDevice === 'before',
): DevicePicture | null {
  const wanted = deviceTask(page, state)
  const name = wanted ? `${wanted.key} ${picturesOf(state)} ${JSON.stringify(wanted.params)}` : null
  const shown = state.inputs[mainInput(page.definition)]?.[0]?.id
  const [made, setMade] = useState<{ name: string; of: typeof shown; picture: DevicePicture } | null>(null)
  const begun = useRef({ shown, key: wanted?.key })
  const drawing = useRef<Promise<unknown>>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` identifies the task
  useEffect(() => {
    if (!wanted || !name) return
    let current = true
    // Only computing is worth waiting for; drawing again takes a moment.
    const computes = begun.current.key !== wanted.key
    const wait = computes && begun.current.shown === shown ? debounceMs : 0
    begun.current = { shown, key: wanted.key }
    const timer = setTimeout(async () => {
      // A slider asks faster than the device draws: what is outdated by then is skipped.
      await drawing.current
      if (!current) return
      const drawn = previewOn(wanted)
      drawing.current = drawn
      const picture = await drawn
      if (picture) setMade({ name, of: shown, picture })
    }, wait)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [name])
  const isLast = keepsLast && made?.of === shown
  return wanted && made && (isLast || made.name === name) ? made.picture : null
}

/** The engine loads after the first screen. */
export async function previewOn(task: PreviewTask): Promise<DevicePicture | undefined> {
  const engine = await import('./device-engine.ts').catch(() => undefined)
  return engine?.previewOnDevice(task)
}

/**
 * Null for several generations, files that the device cannot decode, and tools that it cannot run.
 */
export function deviceTask(page: AnyToolPage, state: StudioState): PreviewTask | null {
  const { definition } = page
  const [generation, another] = generationsOf(definition, state.inputs)
  if (!page.onDevice || !generation || another) return null
  // Tasks that only providers can do have no device preview.
  if (definition.needs?.(state.params).length) return null
  const pictures = Object.values(generation).flat()
  if (pictures.length === 0 || pictures.some(({ size }) => size === null)) return null
  const main = generation[mainInput(definition)]?.[0]?.size
  if (!main) return null
  const side = devicePreviewSide(main)
  const reduced = Object.entries(generation).map(
    ([name, files]) =>
      [name, files.map((file) => ({ ...file, size: file.size && previewSize(file.size, side) }))] as const,
  )
  const params = generationParams(page, { ...state, inputs: Object.fromEntries(reduced), shrink: false }, null)
  const rendered = new Set([...definition.renderParams, ...(definition.renderInputs ?? [])])
  const generated = Object.entries(params).filter(([name]) => !rendered.has(name))
  const ids = Object.entries(generation).map(([name, files]) => (rendered.has(name) ? [] : files.map(({ id }) => id)))
  return {
    tool: definition.id,
    params,
    inputs: Object.fromEntries(
      Object.keys(definition.inputs).map((name) => [
        name,
        (generation[name] ?? []).map(({ original }) => reducedBitmapOf(original) ?? original),
      ]),
    ),
    names: Object.fromEntries(Object.entries(generation).map(([name, files]) => [name, files.map(({ id }) => id)])),
    side,
    key: JSON.stringify([ids, generated]),
  }
}
