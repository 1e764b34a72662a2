import { smallPicture, smallPictureEngine } from '#tools/engine/internal-tools.ts'
import { toolEngines } from '#tools/engines.ts'
import { engineThread } from '#tools/threads/thread.ts'
import { montageEngine, sleeperEngine } from './test-tools.ts'

export const perform = engineThread({
  ...toolEngines,
  [smallPicture.id]: smallPictureEngine,
  montage: montageEngine,
  sleeper: sleeperEngine,
})
