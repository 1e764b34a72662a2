import { fitArea } from '#engine/image/pixels.ts'
import { inputOnWhite, requireProviderResults, safetyTasks } from '#tools/engine/inputs.ts'
import { aiEdited, type ToolEngine } from '#tools/engine/tool-engine.ts'
import type { InstantEditInputs, InstantEditParams, InstantEditTasks } from '../contract/definition.ts'

/** Pixels sent to providers; their result is hardly larger. */
const providerPixels = 2_000_000

export const instantEditEngine: ToolEngine<InstantEditParams, InstantEditInputs, null, InstantEditTasks> = {
  async prepare({ inputs, params: { prompt, seed } }, host) {
    const source = inputOnWhite(inputs.picture)
    const size = source.width * source.height > providerPixels ? fitArea(source, providerPixels) : source
    const picture = await host.resize(source, size.width, size.height)
    return { safe: await safetyTasks(inputs.picture, host), edited: [{ picture, prompt, seed }] }
  },

  async generate({ done }) {
    requireProviderResults(done.edited)
    return { layers: {}, data: null, warnings: [] }
  },

  async render({ params: { format }, done }) {
    return {
      outputs: requireProviderResults(done.edited).map(({ picture }) => ({
        picture,
        encoding: { format, metadata: aiEdited },
      })),
    }
  },
}
