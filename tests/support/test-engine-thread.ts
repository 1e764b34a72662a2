import { toolEngines } from '#tools/engines.ts'
import { serveEngineThread } from '#tools/threads/thread.ts'
import { montageEngine, sleeperEngine, testProviders } from './test-tools.ts'

serveEngineThread({ ...toolEngines, montage: montageEngine, sleeper: sleeperEngine }, testProviders)
