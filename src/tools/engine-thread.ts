import { engineThread } from '#tools/threads/thread.ts'
import { internalEngines } from './engine/internal-tools.ts'
import { toolEngines } from './engines.ts'

export const perform = engineThread({ ...toolEngines, ...internalEngines })
