import { serveEngineWorker } from '#tools/browser/serve-engine-worker.ts'
import { backgroundRemovalEngine } from './background-removal/engine/engine.ts'
import { cartoonizerEngine } from './cartoonizer/engine/engine.ts'
import type { EngineRegistry } from './engine/tool-engine.ts'

/** Run in the browser for device previews; a tool's page enables it with `onDevice`. */
const deviceEngines: EngineRegistry = {
  'background-removal': backgroundRemovalEngine,
  // `generate` needs face detection, which requires consent and does not exist on devices.
  cartoonizer: { render: cartoonizerEngine.render },
}

serveEngineWorker(deviceEngines)
