import { serveEngineWorker } from '#engine/browser/serve.ts'
import { deviceEngines } from './device-engines.ts'

serveEngineWorker(deviceEngines)
