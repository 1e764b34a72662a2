import { useCallback, useRef } from 'react'
import type { Picture } from '#engine/image/picture.ts'
import { outlineOf, simplify } from './outline.ts'
import { type Drawn, drawSmall } from './read-small.ts'
import type { Stroke, StrokeMode } from './strokes.ts'

/** x and y are shares of the picture. */
type SelectRegion = (x: number, y: number, mode: StrokeMode) => Promise<Stroke | null>

/** On the device it uses a small copy of the picture, decoded once. */
export function useSelect(url: string | null, onServer = false): SelectRegion {
  const read = useRef<{ url: string; picture: Promise<Picture> } | null>(null)
  return useCallback(
    async (x, y, mode) => {
      if (!url) return null
      if (onServer) {
        const { selectOnServer } = await import('./select-on-server.ts')
        const found = await selectOnServer(url, x, y).catch(() => null)
        if (found) return { mode, shape: 'area', size: 1 / found.side, points: found.points }
      }
      const { segmentAtTap, tapPictureSide } = await import('#engine/tasks/subject-matte/index.ts')
      if (read.current?.url !== url) read.current = { url, picture: drawSmall(url, tapPictureSide).then(pixelsOf) }
      const picture = await read.current.picture
      const { width, height, data } = await segmentAtTap(picture, x * picture.width, y * picture.height, nextTask)
      const points = simplify(outlineOf(Uint8Array.from(data), width, height), 0.6 / tapPictureSide)
      return { mode, shape: 'area', size: 1 / tapPictureSide, points }
    },
    [url, onServer],
  )
}

const pixelsOf = ({ context, width, height }: Drawn): Picture => context.getImageData(0, 0, width, height)
const nextTask = () => new Promise((resolve) => setTimeout(resolve))
