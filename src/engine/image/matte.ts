import type { Matte, Plane } from './picture.ts'

/** A plane's values, 0 to 1, in 8 bits each. */
export function matteOf({ width, height, data }: Plane): Matte {
  const bytes = new Uint8Array(width * height)
  // Rounds and limits what is written through it.
  const levels = new Uint8ClampedArray(bytes.buffer)
  for (let i = 0; i < levels.length; i++) levels[i] = (data[i] as number) * 255
  return { width, height, data: bytes }
}

/** A matte's values from 0 to 1. */
export function planeOf({ width, height, data }: Matte): Plane {
  const values = new Float32Array(width * height)
  for (let i = 0; i < values.length; i++) {
    const level = data[i] as number
    if (level !== 0) values[i] = level / 255
  }
  return { width, height, data: values }
}

/** Whether anything of a matte is more foreground than background. */
export function showsSomething({ data }: Matte): boolean {
  for (let i = 0; i < data.length; i++) if ((data[i] as number) > 127) return true
  return false
}
