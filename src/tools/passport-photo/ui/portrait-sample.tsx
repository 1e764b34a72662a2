import { useEffect, useState } from 'react'
import type { PortraitFacts } from '../engine/frame.ts'
import type { PortraitSample } from '../engine/sample.ts'

/** Drawn pixels for each pixel of the check's sample. */
const oversampling = 4

export interface SmallPerson {
  url: string
  /** In the pixels of `portrait`. */
  width: number
  height: number
  portrait: PortraitFacts
}

/** A finished result reuses the samples made before the start. */
const personCache = new WeakMap<Blob, SmallPerson>()

/** Cut out on the device by the check's alpha; null if the browser cannot read the photograph. */
export function useSmallPerson(photo: Blob | undefined, facts: Readonly<Record<string, unknown>> | undefined) {
  const [person, setPerson] = useState<SmallPerson | null>(null)
  const sample = facts?.sample as PortraitSample | undefined
  const source = facts?.portrait as PortraitFacts | undefined
  useEffect(() => {
    const known = photo && personCache.get(photo)
    setPerson(known ?? null)
    if (!photo || known || !sample || !source) return
    let current = true
    cutOut(photo, sample, source.width)
      .then((cut) => {
        personCache.set(photo, cut)
        if (current) setPerson(cut)
      })
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [photo, sample, source])
  return person
}

async function cutOut(photo: Blob, sample: PortraitSample, checkedWidth: number): Promise<SmallPerson> {
  const { placement, width, height, alpha, portrait } = sample
  const bitmap = await createImageBitmap(photo)
  const canvas = document.createElement('canvas')
  canvas.width = width * oversampling
  canvas.height = height * oversampling
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.imageSmoothingQuality = 'high'
  // The photograph may have been sent smaller than it is here.
  const scale = (oversampling * placement.scale * checkedWidth) / bitmap.width
  const [cos, sin] = [scale * Math.cos(placement.angle), scale * Math.sin(placement.angle)]
  context.setTransform(cos, sin, -sin, cos, oversampling * placement.x, oversampling * placement.y)
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  context.setTransform(oversampling, 0, 0, oversampling, 0, 0)
  context.globalCompositeOperation = 'destination-in'
  context.drawImage(alphaCanvas(alpha, width, height), 0, 0)
  return { url: canvas.toDataURL('image/webp', 0.9), width, height, portrait }
}

function alphaCanvas(alpha: string, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pixels = new ImageData(width, height)
  const bytes = atob(alpha)
  for (let i = 0; i < bytes.length; i++) pixels.data[4 * i + 3] = bytes.charCodeAt(i)
  canvas.getContext('2d')?.putImageData(pixels, 0, 0)
  return canvas
}
