import { serveEngineThread } from '#engine/node/thread.ts'
import { toolEngines } from './engines.ts'

serveEngineThread(toolEngines)
