import { serveEngineThread } from '#engine/node/thread.ts'
import { toolEngines } from '#tools/engines.ts'
import { montageEngine, sleeperEngine, testProviders } from './test-tools.ts'

serveEngineThread({ ...toolEngines, montage: montageEngine, sleeper: sleeperEngine }, testProviders)
