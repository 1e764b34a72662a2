import { connectedRegions } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { ramp } from '#engine/image/ramp.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { feather } from '#engine/tasks/faces/regions.ts'
import type { FaceSurface } from '#engine/tasks/faces/skin.ts'
import { logTones, robust } from '#engine/tasks/faces/tones.ts'

/** How far brightness (logarithms) varies from pixel to pixel in smooth skin, and in hair. */
const texture = { skin: 0.045, hair: 0.07 } as const
/** How much darker than the middle of the skin, as a logarithm, shadow hardly and never is. */
const darkness = { hardly: 1.3, never: 1.7 } as const
/** How much less red, as a logarithm: dark cloth is, shadow on skin is not. */
const paleness = { hardly: 0.08, never: 0.18 } as const

/**
 * Gives deep shadow on a face, which is as unlike its skin as hair is, back to the skin. It is
 * smooth, and no edge parts it from skin in the light; hair is rough, and cloth has an edge. The
 * picture should show the face some 150 to 300 pixels wide, `unit` is the face's width in pixels.
 */
export function withShadow(surface: FaceSurface, picture: Picture, unit: number): FaceSurface {
  const { foreign, skin, hull, features } = surface
  const [light, red] = logTones(picture)
  const [usualLight, usualRed] = [light, red].map((tone) => robust(tone, skin, 0.1).middle) as [number, number]
  const reach = Math.max(1, Math.round(0.012 * unit))
  const [softLight, softRed] = [boxBlur(light, reach), boxBlur(red, reach)]
  const rough = roughness(light, reach, Math.max(1, Math.round(0.03 * unit)))
  const face = smoothSkin(surface, rough)
  const shadow = { ...foreign, data: new Float32Array(foreign.data.length) }
  for (let i = 0; i < shadow.data.length; i++) {
    if (!face(i)) continue
    shadow.data[i] =
      ramp(texture.hair, texture.skin, rough.data[i] as number) *
      ramp(darkness.never, darkness.hardly, usualLight - (softLight.data[i] as number)) *
      ramp(paleness.never, paleness.hardly, usualRed - (softRed.data[i] as number))
  }
  const { data: share } = feather(shadow, 0.008 * unit)
  const bare = skin.data.map((own, i) => {
    const open = (hull.data[i] as number) * (1 - (features.data[i] as number))
    return Math.max(own, open * (foreign.data[i] as number) * (share[i] as number))
  })
  return {
    ...surface,
    foreign: { ...foreign, data: foreign.data.map((own, i) => own * (1 - (share[i] as number))) },
    skin: { ...skin, data: bare },
  }
}

/** Whether a pixel lies in a smooth part of the face that is skin at least in a third. */
function smoothSkin({ hull, skin }: FaceSurface, rough: Plane): (i: number) => boolean {
  const smooth = (i: number) => (hull.data[i] as number) > 0 && (rough.data[i] as number) < texture.hair
  const { labels, regions } = connectedRegions(hull.width, hull.height, smooth)
  const bare = new Float64Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    bare[label] = (bare[label] as number) + (skin.data[i] as number)
  }
  return (i) => {
    const label = labels[i] as number
    return label > 0 && (bare[label] as number) > (regions[label - 1]?.area ?? 0) / 3
  }
}
