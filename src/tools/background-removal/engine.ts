import { EngineError } from '#engine/error.ts'
import { applyGuided, guidedCoefficients } from '#engine/guided-filter.ts'
import { resizeSmooth } from '#engine/plane.ts'
import type { ToolEngine } from '../tool.ts'
import type { BackgroundRemovalParams } from './contract.ts'

export const backgroundRemovalEngine: ToolEngine<BackgroundRemovalParams> = {
  async generate({ sources }, host) {
    const source = sources[0]
    if (!source) throw new EngineError('upload.missing')
    host.progress('generating', 0.1)
    const mask = await host.personMask(source)
    const scale = Math.min(1, 384 / Math.max(source.width, source.height))
    const width = Math.max(1, Math.round(source.width * scale))
    const height = Math.max(1, Math.round(source.height * scale))
    const small = await host.resize(source, width, height)
    const matte = applyGuided(guidedCoefficients(small, resizeSmooth(mask, width, height), 4, 1e-4), source)
    if (!matte.data.some((value) => value > 0.5)) throw new EngineError('engine.no_subject')
    return { layers: { matte }, warnings: [] }
  },
  async render({ sources, params }, { layers }) {
    const source = sources[0]
    const matte = layers.matte
    if (!source || !matte) throw new EngineError('upload.missing')
    const data = source.data.slice()
    for (let i = 0; i < matte.data.length; i++) data[4 * i + 3] = (matte.data[i] as number) * 255
    return [{ picture: { width: source.width, height: source.height, data }, format: params.format }]
  },
}
