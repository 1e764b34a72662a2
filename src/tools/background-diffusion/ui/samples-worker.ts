import { surfaceIds } from '#engine/scenes.ts'
import { neutralWishes, renderScene } from '#engine/tasks/background/index.ts'
import { serveSamples } from '#tools/ui/serve-samples.ts'

const side = 128

serveSamples(
  surfaceIds.filter((id) => id !== 'table'),
  () => (id) => renderScene({ id, width: side, height: side, seed: 4, wishes: neutralWishes(), side: -0.4 }),
)
