import { engineThread } from '#tools/threads/thread.ts'
import { linkPicture, linkPictureEngine } from './engine/link-picture.ts'
import { smallPicture, smallPictureEngine } from './engine/small-picture.ts'
import { toolEngines } from './engines.ts'

export const perform = engineThread({
  ...toolEngines,
  [linkPicture.id]: linkPictureEngine,
  [smallPicture.id]: smallPictureEngine,
})
