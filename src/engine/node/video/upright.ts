import { createFrame, type Frame } from '../../video/frame.ts'

/** The frame turned clockwise. */
export function turnFrame(frame: Frame, degrees: 0 | 90 | 180 | 270, create = createFrame): Frame {
  if (degrees === 0) return frame
  const { width, height, matrix } = frame
  const out = degrees === 180 ? create(width, height, matrix) : create(height, width, matrix)
  turnPlane(frame.y, width, height, out.y, degrees)
  turnPlane(frame.u, width / 2, height / 2, out.u, degrees)
  turnPlane(frame.v, width / 2, height / 2, out.v, degrees)
  return out
}

function turnPlane(from: Uint8Array, width: number, height: number, to: Uint8Array, degrees: 90 | 180 | 270): void {
  const count = width * height
  if (degrees === 180) {
    for (let i = 0; i < count; i++) to[count - 1 - i] = from[i] as number
    return
  }
  for (let y = 0, i = 0; y < height; y++) {
    let at = degrees === 90 ? height - 1 - y : (width - 1) * height + y
    const step = degrees === 90 ? height : -height
    for (let x = 0; x < width; x++, i++, at += step) to[at] = from[i] as number
  }
}

/** The frame reduced to at most `side` pixels on the longer side. */
export function scaleFrame(frame: Frame, side: number, create = createFrame): Frame {
  const scale = side / Math.max(frame.width, frame.height)
  if (scale >= 1) return frame
  const even = (value: number) => Math.max(2, 2 * Math.round((value * scale) / 2))
  const out = create(even(frame.width), even(frame.height), frame.matrix)
  scalePlane(frame.y, frame.width, frame.height, out.y, out.width, out.height)
  scalePlane(frame.u, frame.width / 2, frame.height / 2, out.u, out.width / 2, out.height / 2)
  scalePlane(frame.v, frame.width / 2, frame.height / 2, out.v, out.width / 2, out.height / 2)
  return out
}

/** Means of the covered source values. */
function scalePlane(from: Uint8Array, width: number, height: number, to: Uint8Array, columns: number, rows: number) {
  for (let y = 0, i = 0; y < rows; y++) {
    const top = Math.floor((y * height) / rows)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / rows))
    for (let x = 0; x < columns; x++, i++) {
      const left = Math.floor((x * width) / columns)
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / columns))
      let sum = 0
      for (let v = top; v < bottom; v++) {
        for (let u = left; u < right; u++) sum += from[v * width + u] as number
      }
      to[i] = sum / ((bottom - top) * (right - left)) + 0.5
    }
  }
}
