import { serveEngineWorker } from '#tools/browser/serve.ts'
import { deviceEngines } from './device-engines.ts'

serveEngineWorker(deviceEngines)
