import { engineThread } from '#tools/threads/thread.ts'
import { linkPicture, linkPictureEngine, smallPicture, smallPictureEngine } from './engine/internal-tools.ts'
import { toolEngines } from './engines.ts'

export const perform = engineThread({
  ...toolEngines,
  [linkPicture.id]: linkPictureEngine,
  [smallPicture.id]: smallPictureEngine,
})
