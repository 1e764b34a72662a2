import type { EngineHost } from '#engine/host.ts'
import { smallPicture, smallPictureEngine } from '#tools/engine/internal-tools.ts'
import type { AnyEngine } from '#tools/engine/tool-engine.ts'
import { toolEngines } from '#tools/engines.ts'
import { engineThread } from '#tools/threads/thread.ts'
import { rememberedEngine, rememberedHost } from './remembered.ts'
import type { TestTask } from './run-tool.ts'
import { montageEngine, sleeperEngine } from './test-tools.ts'

/**
 * Five searches for hands at each face are half of a photo check's work, and no photograph of the
 * tests shows a hand before a face. The soak searches, and so does `covered-face.test.ts`.
 */
const withoutHands = (host: EngineHost): EngineHost => ({ ...host, hands: async () => [] })
const testHost = (host: EngineHost) => (process.env.SOAK ? rememberedHost(host) : withoutHands(rememberedHost(host)))

function withTestHost({ check, prepare, generate, render }: AnyEngine): AnyEngine {
  return {
    render: (input, generated, host) => render(input, generated, testHost(host)),
    ...(check && { check: (input, host) => check(input, testHost(host)) }),
    ...(prepare && { prepare: (input, host) => prepare(input, testHost(host)) }),
    ...(generate && { generate: (input, host) => generate(input, testHost(host)) }),
  }
}

let remembers = false

const engines = Object.entries<AnyEngine>(toolEngines).map(
  ([id, engine]) => [id, rememberedEngine(id, withTestHost(engine), () => remembers)] as const,
)

const performTask = engineThread({
  ...Object.fromEntries(engines),
  [smallPicture.id]: smallPictureEngine,
  montage: montageEngine,
  sleeper: sleeperEngine,
})

/** A thread has one task at a time. */
export function perform(given: Parameters<typeof performTask>[0] & { task: TestTask }): Promise<void> {
  const { remember, locations = [] } = given.task
  // The same added location has other files in other tests.
  remembers = remember === true && locations.length === 0
  return performTask(given)
}
