import { useEffect, useState } from 'react'
import { layOver } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { renderBackdrop } from '#engine/tasks/headshot/index.ts'
import type { PhotoCheckView } from '../../contract/views.ts'
import { backdropNames, type HeadshotBackdrop, sampleSize } from '../contract/definition.ts'

/**
 * Cut-outs that checks have brought, by their photograph: a finished result shows its samples with
 * the same one.
 */
const known = new WeakMap<Blob, string>()

/**
 * Every backdrop, small, behind the person's own head once the check has cut it out. They appear
 * one by one, so that the page stays usable meanwhile.
 */
export function useBackdropSamples(
  photo: Blob | undefined,
  check: PhotoCheckView | null,
): Partial<Record<HeadshotBackdrop, string>> {
  const [samples, setSamples] = useState<Partial<Record<HeadshotBackdrop, string>>>({})
  const found = check?.facts.cutout
  if (photo && typeof found === 'string') known.set(photo, found)
  const cutout = photo ? known.get(photo) : undefined
  useEffect(() => {
    let current = true
    const draw = async () => {
      const head = cutout === undefined ? undefined : headOf(cutout)
      for (const name of backdropNames) {
        await nextIdleMoment()
        if (!current) return
        const { width, height } = sampleSize
        const backdrop = renderBackdrop(name, width, height)
        const url = dataUrl(head ? layOver(head, backdrop) : backdrop)
        setSamples((now) => ({ ...now, [name]: url }))
      }
    }
    draw().catch(() => undefined)
    return () => {
      current = false
    }
  }, [cutout])
  return samples
}

function headOf(base64: string): Picture | undefined {
  const data = Uint8ClampedArray.from(atob(base64), (letter) => letter.charCodeAt(0))
  const { width, height } = sampleSize
  return data.length === 4 * width * height ? { width, height, data } : undefined
}

function dataUrl({ width, height, data }: Picture): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  return canvas.toDataURL('image/webp', 0.85)
}

function nextIdleMoment(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 300 })
    else setTimeout(resolve, 16)
  })
}
