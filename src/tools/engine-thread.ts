import { engineThread } from '#tools/threads/thread.ts'
import { toolEngines } from './engines.ts'

export const perform = engineThread(toolEngines)
