import { backgroundRemovalEngine } from './background-removal/engine/engine.ts'
import { cartoonizerEngine } from './cartoonizer/engine/engine.ts'
import type { EngineRegistry } from './engine/tool-engine.ts'

/**
 * The engines that run on people's devices too, for previews; a tool's page says so with
 * `onDevice`.
 */
export const deviceEngines: EngineRegistry = {
  'background-removal': backgroundRemovalEngine,
  // What it generates are faces, which nobody has agreed to yet and no device looks for.
  cartoonizer: { render: cartoonizerEngine.render },
}
