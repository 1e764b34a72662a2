import { setImmediate } from 'node:timers/promises'
import type { AnyEngine } from '#tools/engine/tool-engine.ts'
import { toolEngines } from '#tools/engines.ts'
import { engineThread } from '#tools/threads/thread.ts'

const burner: AnyEngine = {
  async render(_input, _generated, host) {
    host.progress('generating', 0)
    for (let value = 0; !host.signal.aborted; await setImmediate()) {
      for (let i = 0; i < 5_000_000; i++) value = Math.sqrt(value + i)
    }
    throw host.signal.reason
  },
}

export const perform = engineThread({ ...toolEngines, burner })
