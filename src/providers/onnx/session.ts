import type { Picture } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { OnnxSession, OnnxSessions, OnnxTensor } from './family.ts'
import { type Channels, channelsOf } from './tensor.ts'

export interface Size {
  width: number
  height: number
}

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
