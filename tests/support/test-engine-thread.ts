import type { EngineHost } from '#engine/host.ts'
import { internalEngines } from '#tools/engine/internal-tools.ts'
import type { AnyEngine } from '#tools/engine/tool-engine.ts'
import { toolEngines } from '#tools/engines.ts'
import { engineThread } from '#tools/threads/thread.ts'
import { montageEngine, sleeperEngine } from './test-tools.ts'

/**
 * Five searches for hands at each face are half of a photo check's work, and no photograph of the
 * tests shows a hand before a face. The soak searches, and so does `covered-face.test.ts`.
 */
function withoutHands(engine: AnyEngine): AnyEngine {
  const blind = (host: EngineHost): EngineHost => ({ ...host, hands: async () => [] })
  const { check, prepare, generate, render } = engine
  return {
    render: (input, generated, host) => render(input, generated, blind(host)),
    ...(check && { check: (input, host) => check(input, blind(host)) }),
    ...(prepare && { prepare: (input, host) => prepare(input, blind(host)) }),
    ...(generate && { generate: (input, host) => generate(input, blind(host)) }),
  }
}

const engines = Object.entries<AnyEngine>(toolEngines).map(
  ([id, engine]) => [id, process.env.SOAK ? engine : withoutHands(engine)] as const,
)

export const perform = engineThread({
  ...Object.fromEntries(engines),
  ...internalEngines,
  montage: montageEngine,
  sleeper: sleeperEngine,
})
