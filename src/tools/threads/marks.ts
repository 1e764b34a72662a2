import { randomBytes } from 'node:crypto'
import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { composeSimilarities, translationBy } from '#engine/image/geometry.ts'
import { isPicture, type Picture } from '#engine/image/picture.ts'
import { keyedRandomness } from '#engine/node/watermark-randomness.ts'
import { withAiLabel } from '#engine/watermark/ai-label.ts'
import { workArea } from '#engine/watermark/colour-shift.ts'
import { writeLetters } from '#engine/watermark/letters.ts'
import { makeSample } from '#engine/watermark/sample.ts'
import { testResultMaxPixels } from '#shared/api-key.ts'
import type { Output, Rendering, ToolInput } from '#tools/engine/tool-engine.ts'
import type { EngineTask } from './task.ts'

/** Frames are labelled while they are encoded. */
export const labellingVideos = (host: EngineHost): EngineHost => ({
  ...host,
  convertVideo: (video, conversion) => host.convertVideo(video, { ...conversion, labelled: true }),
})

/** Labels copies: engines may keep the pictures that they return. */
export function labelledRendering(rendering: Rendering): Rendering {
  const outputs = rendering.outputs.map((output): Output => {
    if ('picture' in output) return { ...output, picture: withAiLabel(output.picture) }
    if (!('pages' in output)) return output
    return { ...output, pages: output.pages.map((page) => ({ ...page, picture: withAiLabel(page.picture) })) }
  })
  return { ...rendering, outputs }
}

/** Marks every picture of the result, also those on pages, and reduces it. */
export async function testRendering(
  task: EngineTask,
  rendering: Rendering,
  input: ToolInput<unknown>,
  host: EngineHost,
): Promise<Rendering> {
  const source = sourceOf(input)
  const mark = async (picture: Picture) => {
    const scale = Math.min(1, Math.sqrt(testResultMaxPixels / (picture.width * picture.height)))
    const side = (length: number) => Math.max(1, Math.floor(scale * length))
    const reduced = (one: Picture) => (scale < 1 ? host.resize(one, side(one.width), side(one.height)) : one)
    const isSameSize = source?.width === picture.width && source.height === picture.height
    return sampleOf(task, await reduced(picture), isSameSize ? await reduced(source) : undefined)
  }
  const outputs = rendering.outputs.map(async (output): Promise<Output> => {
    if ('picture' in output) {
      const { placement, ...unmarked } = output
      const picture = await mark(unmarked.picture)
      const scale = picture.width / unmarked.picture.width
      const reduced = placement && {
        ...placement,
        ...composeSimilarities(placement, { ...translationBy(0, 0), scale }),
      }
      return { ...unmarked, picture, ...(reduced && { placement: reduced }) }
    }
    if (!('pages' in output)) throw new EngineError('api_key.test_impossible')
    const pages = output.pages.map(async (page) => ({ ...page, picture: await mark(page.picture) }))
    return { ...output, pages: await Promise.all(pages) }
  })
  return { ...rendering, outputs: await Promise.all(outputs) }
}

/** The first picture: its difference from the result is the work that the watermark covers. */
export function sourceOf({ inputs }: ToolInput<unknown>): Picture | undefined {
  const [source] = Object.values(inputs).flat()
  return source && 'data' in source && isPicture(source) ? source : undefined
}

/** Without a key of the server's, a random watermark that not even this server can repeat. */
export function sampleOf({ watermark }: EngineTask, result: Picture, before: Picture | undefined): Picture {
  const draws = keyedRandomness(watermark?.key ?? randomBytes(32), result.data)
  if (watermark?.lettersOnly) return writeLetters({ ...result, data: result.data.slice() }, draws)
  return makeSample(result, draws, workArea(result, before))
}
