import {
  type AddedLocationId,
  type AnyLocationId,
  type ChosenSceneId,
  isLocation,
  type LocationId,
} from '../../scenes.ts'
import { duskLocations, nightLocations, type Setting, settings } from './lexicon.ts'
import type { Meaning } from './meanings.ts'
import { isSightOfTime, type Term } from './terms.ts'

const usualLocations: readonly LocationId[] = [
  'lobby',
  'park',
  'sunset',
  'city',
  'esplanade',
  'venice',
  'sky',
  'forest',
]

/** Weights of the named place, setting, time of day (seen, or a mood), kind, and dusk for night. */
const likeness = { named: 0.5, setting: 2, sight: 1.5, mood: 0.5, kind: 0.75, dusk: 0.8 } as const

/**
 * The three locations most similar to a prompt: the added ones, then the others by setting, time of
 * day and weather, and in their order.
 */
export function nearestLocations(
  wanted: readonly Term[],
  {
    scenes,
    added,
    excluded,
  }: { scenes: readonly ChosenSceneId[]; added: readonly AddedLocationId[]; excluded: ReadonlySet<ChosenSceneId> },
): AnyLocationId[] {
  const meanings = wanted.flatMap(({ meaning }) => meaning ?? [])
  const setting = settingOf(meanings)
  const dark = meanings.some(({ night }) => night)
  const similar = new Set<AnyLocationId>([
    ...scenes.filter(isLocation).slice(0, 1),
    ...wanted.flatMap(({ meant }) => [...(meant?.scenes ?? []), ...(meant?.absent ?? [])]).filter(isLocation),
    ...meanings.flatMap(({ absent = [] }) => absent),
    ...(dark ? nightLocations : []),
    ...meanings.flatMap(({ scenes, second }) => [...scenes, ...second]).filter(isLocation),
    ...meanings.flatMap(({ times }) => times),
    ...usualLocations,
  ])
  const showsNight = (id: AnyLocationId) => (isIn(nightLocations, id) ? 1 : isIn(duskLocations, id) ? likeness.dusk : 0)
  const score = (id: AnyLocationId) =>
    meanings.reduce((sum, meaning) => sum + likenessOf(meaning, id), 0) +
    (id === scenes[0] ? likeness.named : 0) +
    (setting && isIn(settings[setting].locations, id) ? likeness.setting : 0) +
    (dark ? showsNight(id) : 0)
  const others = [...similar].filter((id) => !isIn(added, id)).sort((a, b) => score(b) - score(a))
  return [...added, ...others].filter((id) => !excluded.has(id)).slice(0, 3)
}

function likenessOf(meaning: Meaning, id: AnyLocationId): number {
  const { scenes, second, absent, times } = meaning
  if (times.includes(id)) return isSightOfTime(meaning) ? likeness.sight : likeness.mood
  return [scenes, second, absent ?? []].some((ids) => isIn(ids, id)) ? likeness.kind : 0
}

const isIn = (ids: readonly ChosenSceneId[], id: ChosenSceneId) => ids.includes(id)

/** The named setting, else that of locations like the absent surroundings, else of the others. */
function settingOf(meanings: readonly Meaning[]): Setting | undefined {
  const common = (ids: readonly ChosenSceneId[]) =>
    (['indoors', 'outdoors'] as const).find(
      (setting) => ids.length > 0 && ids.every((id) => isIn(settings[setting].locations, id)),
    )
  const isOfKind = meanings.some(({ absent }) => absent)
  for (const settingFrom of [
    ({ setting }: Meaning) => setting,
    ({ absent = [] }: Meaning) => common(absent),
    ({ scenes }: Meaning) => common(scenes.filter(isLocation)),
    ({ times }: Meaning) => (isOfKind ? undefined : common(times)),
  ]) {
    const found = new Set(meanings.flatMap((meaning) => settingFrom(meaning) ?? []))
    if (found.size > 0) return found.size === 1 ? [...found][0] : undefined
  }
  return undefined
}
