import { serveEngineThread } from '#tools/threads/thread.ts'
import { toolEngines } from './engines.ts'

serveEngineThread(toolEngines)
