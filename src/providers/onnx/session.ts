import { type Normalization, planarColours } from '#engine/image/normalization.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { OnnxSession, OnnxSessions, OnnxTensor } from './family.ts'

/** Undefined for models that accept any size. */
export function fixedSize({ inputs }: OnnxSession, name = inputs[0]?.name): Size | undefined {
  const [height, width] = inputs.find((input) => input.name === name)?.shape.slice(-2) ?? []
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height }
    : undefined
}

export function onlyInput({ inputs }: OnnxSession): string {
  const [first] = inputs
  if (!first) throw new Error('The network has no input')
  return first.name
}

/** Returns the first or the named output. */
export async function runOn(
  session: OnnxSession,
  tensor: OnnxTensor,
  output = session.outputs[0] as string,
): Promise<Channels> {
  const results = await session.run({ [onlyInput(session)]: tensor }, [output])
  return channelsOf(results[output], output)
}

export function sessionOf(sessions: OnnxSessions, file: string): OnnxSession {
  const session = sessions[file]
  if (!session) throw new Error(`No session of ${file}`)
  return session
}

export function resampleTo(picture: Picture, { width, height }: Size): Picture {
  if (picture.width === width && picture.height === height) return picture
  return resamplePart(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, width, height)
}

/** [1, 3, height, width]; see {@link planarColours}. */
export function colourTensor(
  picture: Picture,
  normalization: Normalization,
  canvas: Size = { width: picture.width, height: picture.height },
): OnnxTensor {
  const data = planarColours(picture, normalization, canvas)
  return { type: 'float32', dims: [1, 3, canvas.height, canvas.width], data }
}

/** Row-major output of a network. */
export interface Channels {
  width: number
  height: number
  count: number
  data: Float32Array
}

export const floatsOf = ({ data }: OnnxTensor): Float32Array =>
  data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number | bigint>, Number)

/** Dimensions are channels, height and width; others must be 1. Throws otherwise. */
export function channelsOf(tensor: OnnxTensor | undefined, name = 'output'): Channels {
  const [width = 0, height = 0, count = 1, ...others] = tensor?.dims.toReversed() ?? []
  const data = tensor && floatsOf(tensor)
  if (data?.length !== width * height * count || others.some((size) => size !== 1)) {
    throw new Error(`The network gave no channels as ${name}: ${tensor?.type} ${JSON.stringify(tensor?.dims)}`)
  }
  return { width, height, count, data }
}

/** Shares the network's values and memory. */
export function planeAt({ width, height, data }: Channels, channel: number): Plane {
  const size = width * height
  return { width, height, data: data.subarray(channel * size, (channel + 1) * size) }
}

/** Opaque; `levelOf` maps values to 0 to 255. */
export function pictureOf({ width, height, data }: Channels, levelOf: (value: number) => number): Picture {
  const size = width * height
  const pixels = new Uint8ClampedArray(4 * size).fill(255)
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < size; i++) pixels[4 * i + c] = levelOf(data[c * size + i] as number)
  }
  return { width, height, data: pixels }
}

/** The logistic function, in place. */
export function applySigmoid(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = 1 / (1 + Math.exp(-(values[i] as number)))
}

/** Limits to 0…1, in place. */
export function clampToUnitRange(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.min(1, Math.max(0, values[i] as number))
}
