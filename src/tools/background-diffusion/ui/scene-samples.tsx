import { useEffect, useState } from 'react'
import { type SceneId, sceneIds } from '#contract/scenes.ts'
import { noWishes, renderScene } from '#engine/tasks/background/index.ts'

/** Side of a sample in pixels. */
const side = 128
const plain = noWishes()
const seed = 4

/** Samples are the same for every picture, so they are drawn once while the app is open. */
const drawn: Partial<Record<SceneId, string>> = {}

/**
 * Every scene, small, drawn on the device by the engine itself, one by one while nothing else
 * happens.
 */
export function useSceneSamples(): Partial<Record<SceneId, string>> {
  const [samples, setSamples] = useState({ ...drawn })
  useEffect(() => {
    let current = true
    const draw = async () => {
      for (const id of sceneIds) {
        if (drawn[id]) continue
        await nextIdleMoment()
        if (!current) return
        drawn[id] = dataUrl(renderScene({ id, width: side, height: side, seed, wishes: plain, side: -0.4 }).data)
        setSamples({ ...drawn })
      }
    }
    draw().catch(() => undefined)
    return () => {
      current = false
    }
  }, [])
  return samples
}

function dataUrl(data: Uint8ClampedArray): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = side
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(data), side, side), 0, 0)
  return canvas.toDataURL('image/webp', 0.85)
}

function nextIdleMoment(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 300 })
    else setTimeout(resolve, 16)
  })
}
