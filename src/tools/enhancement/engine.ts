import { imageLimits } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import { enhance } from '#engine/restore/enhance.ts'
import { correctLight } from '#engine/restore/light.ts'
import type { ToolEngine } from '../tool.ts'
import type { EnhancementInputs, EnhancementParams } from './contract.ts'

/** The enhancer keeps nothing: every result is computed from the input. */
export const enhancementEngine: ToolEngine<EnhancementParams, EnhancementInputs> = {
  async render({ inputs, params }, _generated, host) {
    const [source] = inputs.picture
    if (!source) throw new EngineError('upload.missing')
    if (source.width * source.height * params.scale ** 2 > imageLimits.pixels) {
      throw new EngineError('upload.too_many_pixels')
    }
    const large = enhance(source, params, (fraction) => {
      host.signal.throwIfAborted()
      host.progress('generating', 0.9 * fraction)
    })
    return { outputs: [{ picture: correctLight(large, params), encoding: { format: params.format } }] }
  },
}
