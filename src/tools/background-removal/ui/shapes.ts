import { platformOf } from '#engine/platforms.ts'
import { type BackgroundRemovalParams, backgroundRemoval } from '../contract/definition.ts'

/** Share of the longer side of the subject's box. */
const platformMargin = 0.1

type Params = BackgroundRemovalParams

/** Options that choosing a shape changes. */
const shapedOptions = ['background', 'shadow', 'margin', 'crop', 'format'] as const
type Look = Pick<Params, (typeof shapedOptions)[number]>

/** The look without any shape, and the one that the chosen shapes made of it. */
export interface ShapedLook {
  own: Look
  made: Look
}

const lookOf = (params: Params) =>
  Object.fromEntries(shapedOptions.map((name) => [name, params[name]])) as unknown as Look

/**
 * Undoes the changes of earlier shapes except where the user has changed them since. `last` is null
 * where these changes are unknown, as on a reopened result.
 */
function ownLook(params: Params, last: ShapedLook | null): Look {
  if (params.shape === 'own') return lookOf(params)
  const { defaults } = backgroundRemoval
  const { own, made } = last ?? { own: defaults, made: shapeChanges(defaults, params.shape) }
  const isKept = (name: keyof Look) => JSON.stringify(params[name]) === JSON.stringify(made[name])
  const kept = shapedOptions.filter(isKept).map((name) => [name, own[name]])
  return { ...lookOf(params), ...Object.fromEntries(kept) }
}

/** A frame keeps the look that is there. */
function shapeChanges(params: Params, shape: Params['shape']): Look {
  const white = { type: 'color', color: '#ffffff' } as const
  const platform = platformOf(shape)
  const entersShop = platform?.goods === true && platformOf(params.shape)?.goods !== true
  return {
    crop: false,
    background: entersShop || params.background.type === 'transparent' ? white : params.background,
    shadow: params.shadow || entersShop,
    margin: platform && params.margin === backgroundRemoval.defaults.margin ? platformMargin : params.margin,
    format: 'jpeg',
  }
}

/** Changes that choosing a shape brings along, and what they are undone by. */
export function paramsForShape(
  params: Params,
  shape: Params['shape'],
  last: ShapedLook | null,
): { change: Partial<Params>; look: ShapedLook | null } {
  const own = ownLook(params, last)
  if (shape === 'own') return { change: { shape, ...own }, look: null }
  const sticker: Look = { ...own, crop: false, background: backgroundRemoval.defaults.background, format: 'webp' }
  const made = shape === 'sticker' ? sticker : shapeChanges(params, shape)
  return { change: { shape, ...made }, look: { own, made } }
}
