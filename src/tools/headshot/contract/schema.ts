import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { addedLocationId, addedLocations } from '#tools/contract/location-schema.ts'
import { strokesSchema } from '#tools/contract/stroke-schema.ts'
import {
  backdropNames,
  headshot,
  headshotRatios,
  headshotStyles,
  maxFaces,
  retiredBackdrops,
  viewCount,
} from './definition.ts'

export const headshotContract = defineTool(
  headshot,
  type({
    '+': 'reject',
    style: type.enumerated(...headshotStyles).default('photo'),
    ownOutfit: 'boolean = false',
    ownPose: 'boolean = true',
    mode: "'each' | 'group' = 'each'",
    faces: type('0 <= number.integer <= 99')
      .array()
      .atMostLength(maxFaces)
      .default(() => []),
    backdrop: type
      .enumerated(...backdropNames, ...retiredBackdrops)
      .or(addedLocationId)
      .default('grey'),
    'locations?': addedLocations,
    view: `1 <= number.integer <= ${viewCount} = 1` as const,
    ratio: type.enumerated(...headshotRatios).default('3:4'),
    retouch: '0 <= number <= 1 = 0.5',
    light: '0 <= number <= 1 = 0.6',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
    strokes: strokesSchema,
  }),
)
