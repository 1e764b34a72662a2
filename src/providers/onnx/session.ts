import type { Picture } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { OnnxSession, OnnxSessions, OnnxTensor } from './family.ts'
import { type Channels, channelsOf } from './tensor.ts'

export interface Size {
  width: number
  height: number
}

/** The height and width that an input has in the model's file; undefined where it takes any. */
export function fixedSize({ inputs }: OnnxSession, name = inputs[0]?.name): Size | undefined {
  const [height, width] = inputs.find((input) => input.name === name)?.shape.slice(-2) ?? []
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height }
    : undefined
}

/** The name of a session's only input, or of its first. */
export function onlyInput({ inputs }: OnnxSession): string {
  const [first] = inputs
  if (!first) throw new Error('The network has no input')
  return first.name
}

/** Shows the only input of a network a tensor; what it gives first comes back, or what is named. */
export async function runOn(
  session: OnnxSession,
  tensor: OnnxTensor,
  output = session.outputs[0] as string,
): Promise<Channels> {
  const results = await session.run({ [onlyInput(session)]: tensor }, [output])
  return channelsOf(results[output], output)
}

/** A session of a family's files. */
export function sessionOf(sessions: OnnxSessions, file: string): OnnxSession {
  const session = sessions[file]
  if (!session) throw new Error(`No session of ${file}`)
  return session
}

/** The whole picture at another size. */
export function resampleTo(picture: Picture, { width, height }: Size): Picture {
  if (picture.width === width && picture.height === height) return picture
  return resamplePart(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, width, height)
}
