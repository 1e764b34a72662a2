import type { EngineHost } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import type { TaskInput } from '#engine/task-types.ts'

/** Longer side in pixels of a classifier's input; no known one sees more. */
const classifierSide = 512

export function safetyTasks(pictures: readonly Picture[], host: EngineHost): Promise<TaskInput['safety'][]> {
  const works = pictures.map(async (given) => {
    const size = fitWithin(given, classifierSide)
    return { picture: await host.resize(flatten(given, 255, 255, 255), size.width, size.height) }
  })
  return Promise.all(works)
}
